"""Augmentation of training data: values of sub-expressions, copies with substituted parts, and renamed variables."""
