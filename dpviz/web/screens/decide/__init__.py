"""The page Decide, an ε that a team can defend: one question a screen, then the answer."""
