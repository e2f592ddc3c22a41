"""Files of trees: JSONL, Parquet and brackets to flat arrays, and these to vocabularies and plans; nothing is recursive."""
