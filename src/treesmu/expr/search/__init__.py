"""Search for fillers of a blank by their values, without a model: up to height 2."""
