"""Completion: scores for many fillers of one blank, and ranked completions."""
