"""Models on trees that are no equations: the results of each corpus, and cells with and without a stack."""
