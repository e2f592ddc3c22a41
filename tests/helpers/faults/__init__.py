"""Faults that are injected into commands: signals and errors at counted events, and a server that runs commands with them."""
