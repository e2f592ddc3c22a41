"""The report: tables, figures and one page from the files of ``treesmu reproduce``. It loads no model.

Many modules because what is read, what is counted and what is written are apart.
"""
