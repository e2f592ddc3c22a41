"""Tests of experiments: a package, so that its folder studies is not taken for that of the report.

Many modules because there is one for each kind of corpus, and reproductions are tested in several.
"""
