"""What one person's data changes, drawn: two lists side by side, the law of the privacy loss, δ(ε),
100 guessers.
"""
