"""What training adds to a corpus: values of sub-expressions, equal ones exchanged, variables renamed."""
