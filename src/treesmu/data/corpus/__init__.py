"""Corpora and single files: equations, blanks and candidates are read into memory and written."""
