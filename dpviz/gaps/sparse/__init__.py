"""The sparse vector technique with gaps: queries against a noisy threshold until ε is spent."""

from dpviz.base import import_submodules

import_submodules(__name__)
