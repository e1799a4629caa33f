"""Pages by the name in their address: settings, study and view of each side by side."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dpviz.pages.common import PageView

_NO_FIGURE = {"common", "deployments", "start"}
# the screen Start is its own file, see dpviz.export.start_file; Deployments has no scenario
NAMES = tuple(
    sorted(module.name for module in iter_modules(__path__) if module.name not in _NO_FIGURE)
)
"""Pages that have a view with a figure."""


@cache
def load_page_view(name: str) -> "PageView":
    page: PageView = import_module(f"dpviz.pages.{name}.view").PAGE
    return page
