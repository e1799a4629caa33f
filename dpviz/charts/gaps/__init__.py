"""Charts of gaps and of sparse vector runs."""
