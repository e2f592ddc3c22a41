"""Values of expressions, and the numeric verdict on equations."""
