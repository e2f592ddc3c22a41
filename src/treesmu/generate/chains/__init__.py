"""Our own way: chains of equations, one per depth, from an identity to the deepest equation."""
