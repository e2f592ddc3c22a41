"""Tests of training.

Many modules because resuming and devices, which are promises of the trainer, have files of their own beside it.
"""
