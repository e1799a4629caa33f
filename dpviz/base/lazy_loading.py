"""Packages whose names load at first use, so that a short command starts at once."""

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pkgutil import get_data


def modules_by_public_name(package: str) -> dict[str, str]:
    """Module of each name, from the package's stub, which type checkers read too."""
    stub = ast.parse(get_data(package, "__init__.pyi") or b"")
    return {
        node.names[0].name: str(node.module)
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
    }


def lazy_attributes(
    package: str,
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a package with a stub."""
    module, home = sys.modules[package], modules_by_public_name(package)

    def load(name: str) -> object:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        # which is looked at first, from now on
        setattr(module, name, getattr(import_module(home[name]), name))
        return vars(module)[name]

    return load, lambda: sorted({*vars(module), *home}), sorted(home)
