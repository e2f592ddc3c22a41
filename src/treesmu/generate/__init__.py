"""The generator of corpora: identities, random growth, near misses, and labels by the numeric check."""
