"""Commands of `python -m dpviz`, one file each.

A command's docstring begins with its own name in backquotes, a colon and one line of help. Its file
holds it as `COMMAND`. Read `base` first, then `distribution`.
"""

import re
from importlib import import_module
from pkgutil import get_data, iter_modules

from dpviz.base import Registry
from dpviz.commands.base import Command

__all__ = ["COMMANDS", "FORMER_COMMANDS", "load_command"]

_ORDER = (  # in which people should meet them; those not named here come after
    "distribution",
    "compare",
    "smallest-epsilon",
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
    "deployments",
    "release",
    "figure",
    "compose",
    "app",
    "serve",
    "homework",
    "completion",
    "reproduce",
)

FORMER_COMMANDS = {"budget": "smallest-epsilon", "price": "compose"}
"""Commands by their old names, which go with the next release."""

COMMANDS: Registry[str] = Registry("command", first_names=_ORDER)
for _module in iter_modules(__path__):
    # to import every command for its line of help is slow
    _source = get_data(__name__, f"{_module.name}.py") or b""
    _name = _module.name.replace("_", "-")
    if _help := re.match(f'"""`{_name}`: (.+)[.]', _source.decode()):
        COMMANDS.add(_name, f"{__name__}.{_module.name}", label=_name, says=_help[1])


def load_command(name: str) -> Command:
    """The command of this name, with all that it computes with."""
    command: Command = import_module(COMMANDS[name]).COMMAND
    return command
