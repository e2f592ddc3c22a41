"""Tests of the sections of the studies, one module for each. Many modules because there are many studies."""
