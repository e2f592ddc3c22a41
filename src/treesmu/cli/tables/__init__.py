"""Results as tables for a terminal and as rows for JSON."""
