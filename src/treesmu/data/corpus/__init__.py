"""Files of equations, blanks and candidates as rows in memory, and back."""
