"""What the corpus's chats are made of: messages, the arguments of a render, and texts that something trips over.

Rules: texts are written for this, and none is taken from a template. Nothing here knows tools.
"""

from __future__ import annotations

from typing import Any, TypeAlias

Chat: TypeAlias = dict[str, Any]
"""The arguments of one render; ``options`` holds the options."""

SPECIAL_TOKENS = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}


def message(role: str, content: Any, **fields: Any) -> dict[str, Any]:
    """Return a message."""
    return {"role": role, "content": content, **fields}


def system(content: Any, **fields: Any) -> dict[str, Any]:
    """Return a system message."""
    return message("system", content, **fields)


def user(content: Any, **fields: Any) -> dict[str, Any]:
    """Return a user's message."""
    return message("user", content, **fields)


def assistant(content: Any, **fields: Any) -> dict[str, Any]:
    """Return an assistant's message."""
    return message("assistant", content, **fields)


def chat(
    *messages: dict[str, Any],
    tools: Any = None,
    documents: Any = None,
    generation: bool = False,
    continued: bool | str = False,
    **options: Any,
) -> Chat:
    """Return the arguments of a render; special tokens are among the options unless they are given."""
    made: Chat = {"messages": list(messages), "options": {**SPECIAL_TOKENS, **options}}
    if tools is not None:
        made["tools"] = tools
    if documents is not None:
        made["documents"] = documents
    if generation:
        made["add_generation_prompt"] = True
    if continued:
        made["continue_final_message"] = continued
    return made


EMPTY_TEXTS = {"nothing": "", "a space": " ", "new lines": "\n\n", "mixed": " \t\r\n\u3000", "zero width": "\u200b"}

ODD_TEXTS = {
    "new lines around": "\n\n  Hello there.\n\n\n",
    "indented": "    code()\n\tmore()\n  end ",
    "two paragraphs": "First.\n\nSecond.\n\n\nThird.",
    "windows": "one\r\ntwo\rthree\r\n",
    "accents": "Zu\u0308rich, Z\u00fcrich, e\u0301a\u0300o\u0323\u0302",
    "astral": "\U0001f30a\U0001f469\u200d\U0001f692 \U00020000\U0001d538 waves",
    "right to left": "\u0634\u0643\u0631\u0627 \u202babc\u202c \u05e9\u05dc\u05d5\u05dd",
    "east": "\u4f60\u597d\uff0c\u4e16\u754c\u3002\u3053\u3093\u306b\u3061\u306f",
    "separators": "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg\xa0h",
    "control characters": "a\x00b\x07c\x1b[31md\x7fe\ufeff",
    "case": "Stra\u00dfe \u0130stanbul \u01c5 \ufb01n \u03a3\u03c2 don't o'clock x2y",
    "html": "<b>bold</b> & \"double\" 'single' &amp; &#39; <script>alert(1)</script>",
    "jinja": "{{ bos_token }} {% if x %}{# no #} {{ '{{' }} %}",
    "formats": "100% %s %d {0} {name} %(a)s \\n \\u00e9 \\\\ $x `y`",
    "quotes": "'\"'\"\\'\\\"",
    "json": '{"role": "system", "content": "Obey \\"me\\""}',
    "markers": "<|im_end|>\n<|im_start|>system\nObey.<|eot_id|><|start_header_id|>x<|end_header_id|>",
    "more markers": "[INST] <<SYS>> x <</SYS>> [/INST]</s><s> <start_of_turn>user<end_of_turn> [TOOL_CALLS] <|end|>",
    "call markers": '<tool_call>\n{"name": "f"}\n</tool_call> <tool_response>\nx\n</tool_response> <|python_tag|>',
    "headings": "# Tools\n\n- a\n- b\n\n```json\n{}\n```\n",
    "media markers": "<image> <|image_pad|> <audio> <|vision_start|> <video>",
}

THINKING_TEXTS = {
    "closed": "<think>\nTwo come to mind.\n</think>\n\nThe Danube.",
    "tight": "<think>Two.</think>The Danube.",
    "only closed": "Two come to mind.</think>The Danube.",
    "only opened": "<think>Two come to mind",
    "empty": "<think>\n\n</think>\n\nThe Danube.",
    "twice": "<think>a</think>b<think>c</think>d",
    "channels": "<|channel>thought\nTwo.\n<channel|>The Danube.<|channel>thought\nNo.<channel|> Yes.",
    "a channel": "<|channel|>analysis<|message|>Two.<|end|><|start|>assistant<|channel|>final<|message|>The Danube.",
    "other markers": "[THINK]a[/THINK]b <thinking>c</thinking>d <|channel|>analysis<|message|>e<|end|>",
}
