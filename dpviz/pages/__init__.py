"""A folder a page, by the name in its address: its settings, its study and its view side by side.

The module study of a page has what it computes, view what it says: words, figures, tables and
charts. Each view has a `PAGE`, which `common.page_view` describes. Whatever shows a page, be it the
app, a file with a slider or a command, finds it by its name; a new folder here is a page with a
figure, without being listed anywhere.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dpviz.pages.common import PageView

_NO_FIGURE = {"common", "start"}  # the screen Start is its own file, see dpviz.export.start_file
NAMES = tuple(
    sorted(module.name for module in iter_modules(__path__) if module.name not in _NO_FIGURE)
)
"""The pages that have a view with a figure."""


def load_page_view(name: str) -> "PageView":
    """The page of this name."""
    page: PageView = import_module(f"dpviz.pages.{name}.view").PAGE
    return page
