"""The commands of `python -m dpviz`: one module a group, each a few entries on the menu `COMMANDS`.

`base` says what a command is: read it first, then `laws`. `options` turns declarations into options and back, `data`
reads scores, `request` makes of both what a command computes, `output` writes its answer. The others are commands.
"""

from dpviz.base.registry import Registry
from dpviz.commands.base import Listed

__all__ = ["COMMANDS"]

COMMANDS: Registry[Listed] = Registry("command")
for _name, _module, _help in (
    ("distribution", "laws", "what one mechanism does: figures of merit, chances of items, classes"),
    ("compare", "laws", "several mechanisms beside each other"),
    ("budget", "budget", "the smallest ε for a goal, by mechanism, and as a multiple of the best"),
    ("sweep", "sweep", "a grid of mechanisms, ε, k and data into one table; with -o it goes on where it was stopped"),
    ("sample", "laws", "draw from a mechanism, to see what it does (not to publish)"),
    ("gaps", "gaps", "what noisy top-k and sparse vector throw away: gaps, their worth, which queries are answered"),
    ("margin", "margin", "one item of a huge universe: large margin beside three other mechanisms"),
    ("candidates", "candidates", "choosing among private candidates: what each rule costs and what comes out"),
    ("count", "count", "an event log to scores: how many distinct people have each item"),
    (
        "loss",
        "loss",
        "the largest and the mean loss; δ at each ε; Rényi divergences; the law of the loss; chances of items",
    ),
    ("worst", "worst", "the neighbour found that tells most about one person, and its privacy loss"),
    (
        "decide",
        "decide",
        "the smallest ε for a goal in words, what it means, and with -o a decision sheet (.html, .json)",
    ),
    (
        "figure",
        "figure",
        "what a page shows as one HTML file with a slider, which works without the app and without a network",
    ),
    ("price", "price", "what releases cost together: ε, ρ, and totals at δ by each way that is proved"),
    ("app", "app", "the app, in a browser on this machine"),
    ("serve", "serve", "the app for many people: several processes behind nginx"),
    ("completion", "completion", "a script that completes this command line in bash or zsh"),
    (
        "reproduce",
        "reproduce",
        "the papers' numbers beside the exact ones and their comparisons drawn, as one HTML file",
    ),
):
    COMMANDS.add(_name, Listed(_name, f"{__name__}.{_module}"), label=_name, says=_help)
