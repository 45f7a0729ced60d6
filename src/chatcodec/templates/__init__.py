"""SOMEBODY'S TEMPLATES: where they come from, as text and special tokens, read and neither compiled nor rendered."""
