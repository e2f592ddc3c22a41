"""Figures as data, and how matplotlib draws them."""
