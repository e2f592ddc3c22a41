"""Importing: files of equations as people have them (CSV, text, JSON, Parquet) become a corpus."""
