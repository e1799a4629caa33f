"""A decision on ε, drawn: how good against ε, by mechanism or for two decisions."""
