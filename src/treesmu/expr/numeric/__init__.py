"""Values of expressions at sample points, and the numeric verdict on equations."""
