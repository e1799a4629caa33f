"""Sums, quadrature, races and first passes that two or more wings need: arrays in, arrays out."""
