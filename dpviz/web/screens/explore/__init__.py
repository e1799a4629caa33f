"""The page Explore, one mechanism on one score vector."""
