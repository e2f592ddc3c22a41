"""Files of equations, blanks and candidates to rows in memory, and back."""
