"""FAMILIES: one small file a model family, independent of each other, and what they share: parts, history, tools."""
