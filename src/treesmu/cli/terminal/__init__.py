"""What the commands share: options, progress bars and error messages."""
