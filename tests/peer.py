"""transformers, where it is installed in the version that we equal; a test that asks for it is skipped otherwise."""

from __future__ import annotations

from typing import Any

import pytest


def transformers() -> Any:
    """Return the module, or skip the test with the reason."""
    module = pytest.importorskip("transformers", reason="transformers is not installed: nothing to compare with")
    if not module.__version__.startswith("5.23."):
        pytest.skip(f"transformers is {module.__version__}, and 5.23 is what we equal")
    return module


def template_utils() -> Any:
    """Return the module in which transformers prepares chats for templates."""
    transformers()
    from transformers.utils import chat_template_utils

    return chat_template_utils


def tokenizer() -> Any:
    """Return a tokenizer without special tokens, whose `apply_chat_template` takes any template."""
    fast = transformers().PreTrainedTokenizerFast
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel

    return fast(tokenizer_object=Tokenizer(WordLevel({"a": 0}, unk_token="a")))
