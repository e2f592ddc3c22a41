"""Experiments: which training runs make which table. ``reproduce`` carries out the studies, ``tuning`` searches settings."""
