"""Printed numbers of the four papers, each beside the exact one: what agrees, what differs, why.

`claims.toml` is the table; the modules of the papers compute; `table` writes the part of the report.
"""

from dpviz.base import import_submodules

import_submodules(__name__)
