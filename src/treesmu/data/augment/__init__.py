"""What training adds to a corpus: values of sub-expressions, substituted copies, and renamed variables."""
