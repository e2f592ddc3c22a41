"""The sentences of a report, and the tables that belong to them."""
