"""Printed numbers of four papers beside the exact ones; `claims.toml` is the table."""

from dpviz.base import import_submodules

import_submodules(__name__)
