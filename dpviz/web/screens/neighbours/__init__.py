"""The page Neighbours: the change that one person's data make."""
