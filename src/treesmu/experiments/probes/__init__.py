"""What the studies ask of a trained model besides its test accuracy."""
