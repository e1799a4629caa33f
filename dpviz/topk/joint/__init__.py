"""The joint exponential mechanism: one loss for a whole answer, equal losses equally likely."""

from dpviz.base import import_submodules

import_submodules(__name__)
