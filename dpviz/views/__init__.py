"""What pages say of their studies, as words, figures, tables and charts: a file a page, by the name
in its address.

Each has a `PAGE`, which `common.page` describes; whatever shows a page, be it the app, a file with
a slider or a command, finds it by its name. A new file here is a page of which there is a figure,
without being listed anywhere.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dpviz.views.common import PageView

_NO_FIGURE = {"common", "start"}  # the screen Start is its own file, see dpviz.reports.start
NAMES = tuple(
    sorted(module.name for module in iter_modules(__path__) if module.name not in _NO_FIGURE)
)
"""The pages that have a view with a figure."""


def page_of(name: str) -> "PageView":
    """The page of this name."""
    page: PageView = import_module(f"dpviz.views.{name}").PAGE
    return page
