"""How Sphinx makes the site: `python -m sphinx -W assets/docs build/docs`, which `./tests/run docs`
calls.
"""

import gc
import sys
import tomllib
from pathlib import Path
from typing import Generic, TypeVar

import numpy.typing

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

gc.set_threshold(
    100_000, 50
)  # trees of pages live to the end: to look through them took an eighth of a build


class NDArray(Generic[TypeVar("T")]):
    """Stands for numpy's, which signatures would spell out: ndarray[tuple[Any, ...],
    dtype[float64]].
    """

    __module__ = "numpy.typing"


numpy.typing.NDArray = NDArray  # before any module takes it
numpy.typing.ArrayLike = type("ArrayLike", (), {"__module__": "numpy.typing"})

from dpviz import __version__  # noqa: E402
from dpviz.charts.look import DARK, LIGHT, Look  # noqa: E402

project = "dpviz"
author = "The dpviz authors"
release = version = __version__
language = "en"

extensions = ["myst_parser", "assets.docs.parts"]
exclude_patterns = ["parts"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
html_math_renderer = "mathml"
highlight_language = "none"
smartquotes = False
add_module_names = False
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 130  # with the modules of types, which are not shown
toc_object_entries_show_parents = "hide"
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
default_role = "py:obj"  # `code` in a docstring

html_theme = "furo"
html_title = "dpviz"
html_favicon = "../icon.svg"
html_static_path = [
    "../logo.svg",
    "../logo-dark.svg",
    "../icon.svg",
    "parts/site.css",
    "parts/figures.js",
]
html_css_files = ["site.css"]
html_copy_source = False
html_show_search_summary = (
    False  # asked for page by page, which a browser refuses to pages from the disk
)
html_show_sourcelink = False
html_show_copyright = False
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"


_APP = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]


def _colours(look: Look) -> dict[str, str]:
    """The theme's colours: those of the app and the charts."""
    raised = _APP[look.name]["secondaryBackgroundColor"]
    return {
        "color-brand-primary": look.accent,
        "color-brand-content": look.accent,
        "color-brand-visited": look.accent,
        "color-api-name": look.ink,
        "color-api-pre-name": look.muted,
        "color-api-keyword": look.muted,
        "color-api-paren": look.muted,
        "color-api-background": raised,
        "color-api-background-hover": look.line,
        "color-foreground-primary": look.ink,
        "color-foreground-secondary": look.muted,
        "color-background-primary": look.paper,
        "color-background-secondary": raised,
        "color-background-hover": look.line,
        "color-background-border": look.line,
        "color-code-background": raised,
        "color-inline-code-background": raised,
        "color-sidebar-background": raised,
        "color-sidebar-search-background": raised,
        "color-sidebar-background-border": look.line,
        "font-stack": '"Source Sans", "Helvetica Neue", Arial, sans-serif',
        "font-stack--monospace": '"Source Code", ui-monospace, Menlo, Consolas, monospace',
    }


html_theme_options = {
    "light_logo": "logo.svg",
    "dark_logo": "logo-dark.svg",
    "sidebar_hide_name": True,
    "light_css_variables": _colours(LIGHT),
    "dark_css_variables": _colours(DARK),
}
