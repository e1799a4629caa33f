"""The user's own code, named on the command line: a module or a file, and a function in it.

Invariant: a file is loaded once, under its own name, so that others can unpickle its classes.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from dpviz.base.errors import ParameterError


def load_user_module(option: str, text: str) -> ModuleType:
    """Module that an option names, as `package.module` or `folder/file.py`."""
    path = Path(text)
    if path.suffix != ".py":
        try:
            return import_module(text)
        except ModuleNotFoundError as err:
            if err.name is None or not f"{text}.".startswith(f"{err.name}."):
                raise  # it is there, and lacks another
            raise ParameterError(
                option, text, "a module that Python finds, or a file that ends in .py"
            ) from None
    if not path.is_file():
        raise ParameterError(option, text, "a file that is there")
    loaded = sys.modules.get(path.stem)
    if loaded is not None and getattr(loaded, "__file__", None) == str(path.resolve()):
        return loaded
    spec = spec_from_file_location(path.stem, path.resolve())
    if spec is None or spec.loader is None:
        raise ParameterError(option, text, "a file of Python")
    module = sys.modules[path.stem] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def load_user_function(option: str, text: str) -> Callable[..., Any]:
    """Function that an option names, as `package.module:function` or `folder/file.py:function`.

    >>> load_user_function("--drawn-by", "math:sqrt")(9)
    3.0
    """
    module, colon, name = text.rpartition(":")
    if not colon:
        raise ParameterError(
            option, text, "a module or a file, a colon and a function, as my_module.py:draw"
        )
    found: Callable[..., Any] | None = getattr(load_user_module(option, module), name, None)
    if not callable(found):
        raise ParameterError(option, text, f"a function that {module} has")
    return found
