"""The tree encoder: passes that run a cell over a whole forest, with gradients."""
