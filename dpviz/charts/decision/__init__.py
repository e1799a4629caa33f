"""Charts of a decision on ε."""
