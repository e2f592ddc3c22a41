"""The parts of ``treesmu data``: rows, counts, figures, leak probes, and audits of labels."""
