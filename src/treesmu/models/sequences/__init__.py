"""Encoders of sequences: an LSTM and transformers, which read an expression as a sequence of tokens."""
