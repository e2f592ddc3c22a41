"""Encoders that read an expression as a sequence of tokens."""
