"""Array types, errors, progress, parameters, menus, scores and noise: the floor under all others.

Read `scores` first (the input of a selection), then `noise` (five families behind every mechanism),
then `parameters` and `registry` (a thing is declared once and appears in every menu).
"""

from dpviz.base.lazy_loading import lazy_attributes

__getattr__, __dir__, __all__ = lazy_attributes(__name__)
