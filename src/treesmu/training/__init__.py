"""Training: settings, batches, the training loop, checkpoints and run folders."""
