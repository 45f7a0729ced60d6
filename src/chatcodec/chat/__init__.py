"""DATA IN: the conversation as plain JSON data in OpenAI shape, copies of it, and checks that name a JSON pointer."""
