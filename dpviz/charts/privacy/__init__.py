"""Charts of one person's influence: paired lists, privacy loss, δ(ε), trade-off and 100 attackers."""
