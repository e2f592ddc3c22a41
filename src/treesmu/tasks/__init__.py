"""The room of tasks: losses and measures."""
