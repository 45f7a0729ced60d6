"""DATA OUT: pieces of text with marks, put together as text and spans; the small protocol that renderers fulfil."""
