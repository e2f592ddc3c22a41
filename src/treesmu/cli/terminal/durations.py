"""Durations as text."""

from __future__ import annotations


def format_seconds(seconds: float) -> str:
    """Return a duration as 0:42, 12:05 or 3:20:00."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
