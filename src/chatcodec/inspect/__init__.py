"""Judgement: what a codec does with chats, measured on its prompts."""
