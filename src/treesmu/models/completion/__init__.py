"""Completion: the scores of many fillers of one blank, and ranked completions."""
