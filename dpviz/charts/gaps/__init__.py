"""Charts of gaps: what they are worth, and sparse vector runs, answers, bounds and orders."""
