"""Commands of `python -m dpviz`, one file each.

A file whose docstring begins with its own name in backquotes, a colon and one line of help holds
the command of that name, as `COMMAND`. Read `base` first, then `distribution`.
"""

import re
from pkgutil import get_data, iter_modules

from dpviz.base import Registry
from dpviz.commands.base import UnloadedCommand

__all__ = ["COMMANDS"]

_ORDER = (  # in which people should meet them; those not named here come after
    "distribution",
    "compare",
    "budget",
    "sweep",
    "sample",
    "gaps",
    "margin",
    "candidates",
    "count",
    "loss",
    "worst",
    "audit",
    "decide",
    "release",
    "figure",
    "price",
    "app",
    "serve",
    "completion",
    "reproduce",
)

COMMANDS: Registry[UnloadedCommand] = Registry("command", first=_ORDER)
for _module in iter_modules(__path__):
    _source = (
        get_data(__name__, f"{_module.name}.py") or b""
    )  # to import every command for its line of help is slow
    if _help := re.match(f'"""`{_module.name}`: (.+)[.]', _source.decode()):
        COMMANDS.add(
            _module.name,
            UnloadedCommand(f"{__name__}.{_module.name}"),
            label=_module.name,
            says=_help[1],
        )
