"""Tests of experiments: a package, so that its folder studies is not taken for that of the report."""
