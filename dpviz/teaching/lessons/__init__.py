"""One lesson a file; each puts itself on the menu `LESSONS`. `lesson_helpers` has what several of
them say alike.
"""

from dpviz.base import import_submodules

import_submodules(__name__)
