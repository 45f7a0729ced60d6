"""JINJA: a template's source becomes plain Python code, one pass a file."""
