"""What ``treesmu data`` shows: rows, counts, figures, leak probes, and labels checked again."""
