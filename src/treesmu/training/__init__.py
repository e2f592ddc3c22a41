"""Training: settings, batches, the training loop, checkpoints and run folders.

Many modules because the state of a run is taken apart: what is drawn, what is streamed, what is stored.
"""
