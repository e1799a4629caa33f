"""The user's own code: modules and files named on the command line, and entries of menus.

Invariant: a file is loaded once, under its own name, so that others can unpickle its classes.
"""

import os
import sys
import warnings
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from dpviz.base.app_paths import WITH
from dpviz.base.errors import ParameterError
from dpviz.base.registry import Registry
from dpviz.base.user_errors import name_user_errors, user_error_text

_points = cache(entry_points)  # to read them takes a tenth of a second


def register_entry_points(menu: Registry[Any], group: str) -> None:
    """Put on a menu what installed packages have under an entry point of a group."""
    for point in _points().select(group=group):
        try:
            entry = _as_entry(point.name, point.load())
            if point.name not in menu:  # else it has registered itself
                menu.put(point.name, entry, label=getattr(entry, "label", None) or point.name)
        except (ImportError, AttributeError, ParameterError) as err:
            # only a warning, as nobody may have asked for it; the module that `--with` names must load
            warnings.warn(
                f"{point.name}, which {point.value} brings to dpviz, does not load: {err}",
                stacklevel=2,
            )


def register_environment_module(menu: Registry[Any], base: type) -> None:
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


def load_user_module(option: str, location: str) -> ModuleType:
    """Module that an option names, as `package.module` or `folder/file.py`."""
    try:
        return _load(option, location)
    except ParameterError:
        raise
    except Exception as err:
        allowed = f"a module that loads, without {user_error_text(err)}"
        raise ParameterError(option, location, allowed) from err


def _load(option: str, location: str) -> ModuleType:
    path = Path(location)
    if path.suffix != ".py":
        try:
            return import_module(location)
        except ModuleNotFoundError as err:
            if err.name is None or not f"{location}.".startswith(f"{err.name}."):
                raise  # it is there, and lacks another
            raise ParameterError(
                option, location, "a module that Python finds, or a file that ends in .py"
            ) from None
    if not path.is_file():
        raise ParameterError(option, location, "a file that is there")
    loaded = sys.modules.get(path.stem)
    if loaded is not None and getattr(loaded, "__file__", None) == str(path.resolve()):
        return loaded
    spec = spec_from_file_location(path.stem, path.resolve())
    if spec is None or spec.loader is None:
        raise ParameterError(option, location, "a file of Python")
    module = sys.modules[path.stem] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def load_user_function(option: str, location: str) -> Callable[..., Any]:
    """Function that an option names, as `package.module:function` or `folder/file.py:function`.

    An error that it raises names it.

    >>> load_user_function("--drawn-by", "math:sqrt")(9)
    3.0
    """
    module, colon, name = location.rpartition(":")
    if not colon:
        raise ParameterError(
            option, location, "a module or a file, a colon and a function, as my_module.py:draw"
        )
    found: Callable[..., Any] | None = getattr(load_user_module(option, module), name, None)
    if not callable(found):
        raise ParameterError(option, location, f"a function that {module} has")
    return name_user_errors(found)
