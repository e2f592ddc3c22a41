"""Tests of the command line.

Many modules because there is at least one per command.
"""
