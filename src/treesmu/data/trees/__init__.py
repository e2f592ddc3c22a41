"""Rows of prefix strings to integer arrays: vocabularies, forests and token sequences."""
