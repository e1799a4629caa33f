"""The page Explore, one mechanism on one score vector.

`sections` is the page, `closer_look` its map, drawn releases and folds. `controls` has the page's
parameters, and play, which moves ε. Its words are in `dpviz.pages.explore`.
"""
