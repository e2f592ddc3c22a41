"""The sweep: the search of a model's settings. sweep.py carries it out; trials.py keeps its trials with Optuna."""
