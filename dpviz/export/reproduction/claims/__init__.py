"""Printed numbers of the four papers, each beside the exact one: what agrees, what differs, and
why.

Read `claim` first (what a claim is, and its registry); a module a paper states its claims; `table`
writes them, and lists the figures and tables that are not reproduced. A claim computes only when it
is asked.
"""

from dpviz.base import import_submodules

import_submodules(__name__)
