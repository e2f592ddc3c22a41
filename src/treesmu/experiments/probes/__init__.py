"""Model probes: what the studies measure of a trained model besides its test accuracy."""
