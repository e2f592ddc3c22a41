"""Cells: what one node of a tree network computes."""
