"""The app's own style sheets and scripts, each read once."""

from functools import cache
from importlib.resources import files


@cache
def read_asset(name: str) -> str:
    """The text of a style sheet or script of `dpviz/web/static`."""
    return files("dpviz.web").joinpath("static", name).read_text(encoding="utf-8")
