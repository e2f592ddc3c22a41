"""Search for fillers of a blank by their values, without a model: complete up to height 2."""
