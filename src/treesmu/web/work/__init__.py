"""Work that needs PyTorch, in processes of its own: a slow question ends with its process, and no other waits for it."""
