"""What everything stands on: array types, errors, progress, parameters, menus, scores and noise.

Read `scores` first (what is selected from), then `noise` (five families behind every mechanism),
then `parameters` and `registry` (how a thing is declared once and appears in every menu). The
floors above take from here what they share.
"""

from dpviz.base.lazy_loading import lazy_attributes

__getattr__, __dir__, __all__ = lazy_attributes(__name__)
