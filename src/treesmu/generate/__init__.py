"""Generation of corpora: identities, random growth of equations, incorrect equations, and labels by the numeric check."""
