"""Many modules because each one of src has its own."""
