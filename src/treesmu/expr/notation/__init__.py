"""Notations: text and LaTeX are parsed into expressions, and expressions are printed as text, LaTeX and MathML."""
