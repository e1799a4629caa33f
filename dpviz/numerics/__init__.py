"""Sums, quadrature, races and first passes that two or more wings need: arrays in, arrays out.

A race asks which noisy value is the largest: of a class among classes (`group_race`), an item among
items (`item_race`), or a set of items (`set_race`). `first_pass` asks when a walk first passes its
limit. Read `quadrature` first: every integral here is panels of Gauss nodes, split at kinks.
"""
