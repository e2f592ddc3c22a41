"""Fuzzing: valid inputs of every format, mutations of them, targets that must accept or refuse, and differential checks."""
