"""Scripts that measure speed and quality, each run by its path.

Many modules because every script measures one thing, and its path is what the documentation names.
"""
