"""A package whose names are loaded when they are first asked for, so that a short command starts at
once.

Each name stands once, with its module, in the package's `__init__.pyi`, which type checkers read
too.
"""

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pkgutil import get_data


def stub_modules(package: str) -> dict[str, str]:
    """The module of each name, as the package's stub says."""
    stub = ast.parse(get_data(package, "__init__.pyi") or b"")
    return {
        node.names[0].name: str(node.module)
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
    }


def lazy_attributes(
    package: str,
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """The `__getattr__`, `__dir__` and `__all__` of a package with a stub."""
    module, home = sys.modules[package], stub_modules(package)

    def load(name: str) -> object:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        setattr(
            module, name, getattr(import_module(home[name]), name)
        )  # which is looked at first, from now on
        return vars(module)[name]

    return load, lambda: sorted({*vars(module), *home}), sorted(home)
