"""Studies: those of the paper and those that go beyond it, one file per study.

Many modules because there are many studies.
"""
