"""Models of trees that are no equations: what they are asked, their readouts, and predictions in Python."""
