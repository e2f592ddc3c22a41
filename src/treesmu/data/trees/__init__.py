"""Trees as integer arrays. Many modules because each step from text to a batch is one of its own."""
