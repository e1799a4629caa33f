"""Sums, quadrature, races and first passes that two or more wings need: arrays in, arrays out.

A race asks which noisy value is the largest: of a class (`group_race`), an item (`item_race`) or a
set of items (`set_probabilities`). Every integral is panels of Gauss nodes, see `quadrature`.
"""
