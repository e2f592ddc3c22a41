"""Tasks: the losses and measures of verification and completion."""
