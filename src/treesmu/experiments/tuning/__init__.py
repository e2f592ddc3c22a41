"""The search of settings behind ``treesmu sweep``."""
