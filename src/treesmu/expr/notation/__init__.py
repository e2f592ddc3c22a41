"""Text and LaTeX to expressions, and expressions to text, LaTeX and MathML."""
