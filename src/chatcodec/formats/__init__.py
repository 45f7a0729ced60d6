"""FAMILIES: one small file a model family, independent of each other, and the pieces that they write with.

Pieces of several families: `parts` (content lists), `turns` (what is read off a history), `tools` (definitions and
calls; their JSON is `remembered`). Pieces that one family uses so far: `function_docs` and `budget`, of Seed-OSS.
"""
