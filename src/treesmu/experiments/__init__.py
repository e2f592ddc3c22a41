"""The room of experiments: which runs make which table. One study a file; ``reproduce`` carries them out."""
