"""Menu entries from installed packages (by entry points) and from the module that `--with` names.

Invariants: a name of dpviz's own cannot be replaced. A package that fails to load gives a warning
and is left out, as nobody may have asked for it; the module that `--with` names must load.
"""

import os
import warnings
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from dpviz.base.app_paths import WITH
from dpviz.base.errors import ParameterError
from dpviz.base.registry import Registry
from dpviz.base.user_code import load_user_module

_points = cache(entry_points)  # to read them takes a tenth of a second


def register_entry_points(menu: Registry[Any], group: str) -> None:
    """Put on a menu what installed packages have under an entry point of a group."""
    for point in _points().select(group=group):
        try:
            entry = _as_entry(point.name, point.load())
            if point.name not in menu:  # else it has registered itself
                menu.put(point.name, entry, label=getattr(entry, "label", None) or point.name)
        except (ImportError, AttributeError, ParameterError) as err:
            warnings.warn(
                f"{point.name}, which {point.value} brings to dpviz, does not load: {err}",
                stacklevel=2,
            )


def register_user_module(menu: Registry[Any], base: type) -> None:
    """Put on a menu the subclasses of `base` and the samplers of the module that `--with` names."""
    named = os.environ.get(WITH)
    if not named:
        return
    module = load_user_module("--with", named)
    for name, entry in vars(module).items():
        own = (
            isinstance(entry, type)
            and issubclass(entry, base)
            and entry.__module__ == module.__name__
        )
        if (own or isinstance(entry, base)) and entry not in menu.values():
            menu.put(name, _as_entry(name, entry), label=name)


def _as_entry(name: str, entry: Any) -> Any:
    """A class for the menu; a sampler is an instance, which makes one."""
    return (
        entry if isinstance(entry, type) or not hasattr(entry, "as_class") else entry.as_class(name)
    )
