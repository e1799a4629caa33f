"""The page Explore, one mechanism on one score vector; `parameters` says what it adds to the scenario.

The first screen: `question` in plain words, `headline` figures, ten `releases` by name, the `picture` of items by name
with the setting `before` as a ghost; `play` runs ε. Then `goal`, the ε that a goal takes. `closer` folds away the rest:
`class_map` is the (h,t) heatmap with one class looked at, `draws` a hundred releases. Read pages/explore.py first.
"""
