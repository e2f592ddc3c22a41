"""The report: tables, figures and one page from the files of ``treesmu reproduce``. It loads no model."""
