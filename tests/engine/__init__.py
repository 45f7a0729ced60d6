"""The engine of templates."""
