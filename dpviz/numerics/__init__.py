"""Numbers that two or more wings need: sums, quadrature, races and first passes. Arrays in, arrays
out.

A race asks who holds the largest noisy value: a class among classes (`group_race`), an item among
items (`item_race`), or a whole set of items (`set_race`). `first_pass` asks when a walk first
passes its limit. Read `quadrature` first: every integral here is panels of Gauss nodes split where
the integrand has kinks.
"""
