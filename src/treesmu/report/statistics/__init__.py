"""Tests of difference: paired by seed, corrected for the number of comparisons."""
