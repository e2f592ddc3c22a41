"""What the commands share: options and the progress that they show."""
