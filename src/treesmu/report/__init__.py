"""The room of the report: tables, figures and one page from what ``treesmu reproduce`` left. It reads files and no model."""
