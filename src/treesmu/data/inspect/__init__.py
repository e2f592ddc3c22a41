"""What ``treesmu data`` shows: rows, counts, figures, leak probes, and audits of labels."""
