"""Charts of the large margin mechanism: the margin curve, who wins, what is promised, the universe."""
