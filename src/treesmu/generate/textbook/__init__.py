"""Textbook equations: short identities as people write them, and the slips that people make."""
