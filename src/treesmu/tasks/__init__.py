"""Tasks: losses and measures. Many modules because verification has several losses, and completion measures of its own."""
