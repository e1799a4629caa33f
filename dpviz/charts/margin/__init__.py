"""Charts of the large margin mechanism and the rules beside it."""
