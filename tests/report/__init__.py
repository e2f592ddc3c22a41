"""Tests of the report: a package, so that its folder studies is not taken for that of the experiments.

Many modules because each mirrors one of the report.
"""
