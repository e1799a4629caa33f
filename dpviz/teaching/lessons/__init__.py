"""Lessons, one a file; each puts itself on the menu `LESSONS`."""

from dpviz.base import import_submodules

import_submodules(__name__)
