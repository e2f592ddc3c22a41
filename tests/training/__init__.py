"""Tests of training.

Many modules because two parts of the trainer's promise, resuming and devices, have files of their own beside that of the trainer.
"""
