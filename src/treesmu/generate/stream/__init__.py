"""A stream of training equations: generated in parts, beside training, from several sources."""
