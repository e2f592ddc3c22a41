"""What is fitted to a trained model and stored with its weights, which stay as they are."""
