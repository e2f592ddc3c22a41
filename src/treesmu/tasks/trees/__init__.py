"""The tasks of trees that are no equations: a class or a number of a tree, of two trees, or of every node."""
