"""The generator: identities, random growth, near misses, and corpora whose labels are checked."""
