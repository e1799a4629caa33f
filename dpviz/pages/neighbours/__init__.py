"""The page Neighbours: `settings` is what it adds to the scenario, `study` what is computed with
them.
"""
