"""Trees as integer arrays: vocabularies, forests, and plans of a corpus from which batches are made."""
