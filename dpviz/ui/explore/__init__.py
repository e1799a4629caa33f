"""The page Explore, one mechanism on one score vector; `parameters` says what it adds to the scenario.

`headline` is its figures and its sentence, `class_map` the (h,t) heatmap with one class looked at closely, `draws` the
releases drawn. The page itself, pages/explore.py, puts them in order: read it first.
"""
