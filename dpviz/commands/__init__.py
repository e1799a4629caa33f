"""The commands of `python -m dpviz`: one module a group, each a few entries on the menu `COMMANDS`.

`base` says what a command is: read it first, then `laws`. `options` turns declarations into options and back, `data`
reads scores, `request` makes of both what a command computes, `output` writes its answer. The others are commands.
"""

from dpviz.base.registry import Registry
from dpviz.commands.base import Command
from dpviz.commands.budget import BUDGET
from dpviz.commands.count import COUNT
from dpviz.commands.laws import COMPARE, DISTRIBUTION, SAMPLE
from dpviz.commands.loss import LOSS
from dpviz.commands.price import PRICE
from dpviz.commands.reproduce import REPRODUCE
from dpviz.commands.sweep import SWEEP
from dpviz.commands.worst import WORST

__all__ = ["COMMANDS"]

COMMANDS: Registry[Command] = Registry("command")
for _command in (DISTRIBUTION, COMPARE, BUDGET, SWEEP, SAMPLE, COUNT, LOSS, WORST, PRICE, REPRODUCE):
    COMMANDS.add(_command.name, _command, label=_command.help)
