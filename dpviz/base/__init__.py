"""Array types, errors, progress, parameters, menus, scores and noise: the floor below all else."""

from dpviz.base.lazy_loading import lazy_attributes

__getattr__, __dir__, __all__ = lazy_attributes(__name__)
