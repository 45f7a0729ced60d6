"""THE WAY BACK: the pieces of a reply's grammar, each declared and written in one place."""
