"""`loss`: how much one release tells about one person, between the scores and a neighbour of theirs."""

import argparse
from typing import TYPE_CHECKING, Any

import numpy as np

from dpviz.base.errors import ParameterError
from dpviz.base.progress import Progress, portion
from dpviz.base.scores import Scores
from dpviz.commands.base import Answer, Command
from dpviz.commands.request import add_request, requested
from dpviz.privacy.inclusion import inclusion_with_and_without
from dpviz.privacy.loss import PrivacyLoss
from dpviz.privacy.meter import privacy_loss
from dpviz.privacy.neighbours import moved_scores
from dpviz.studies.scenario import Scenario

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["LOSS", "SHOWN", "add_show", "shown_table"]

SHOWN = ("figures", "curve", "renyi", "values", "items")
_POINTS = 41
_ORDERS = (1, 1.25, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128)


def add_show(parser: argparse.ArgumentParser) -> None:
    """The option that says which table of a privacy loss is wanted."""
    parser.add_argument(
        "--show",
        choices=SHOWN,
        default="figures",
        help="the largest and the mean loss; δ at each ε; Rényi divergences; the law of the loss; chances of items",
    )


def _add(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("who else is in the data")
    group.add_argument("--up", nargs="+", default=[], metavar="LABEL", help="items whose score rises by Δ")
    group.add_argument("--down", nargs="+", default=[], metavar="LABEL", help="items whose score falls by Δ")
    add_show(parser)
    add_request(parser)


def _run(args: argparse.Namespace, progress: Progress) -> Answer:
    request = requested(args, progress, one=True)
    scores, scenario = request.scores, request.scenario
    if not args.up and not args.down:
        raise ParameterError("--up or --down", None, "given, with items that one person counts in (or see `worst`)")
    step = np.zeros(scores.d)
    for option, labels, way in (("--up", args.up, 1.0), ("--down", args.down, -1.0)):
        step[[_item(scores, option, label) for label in labels]] += way
    neighbour = moved_scores(scores, step)
    loss = privacy_loss(scenario.mechanisms[0], scores, neighbour, progress=portion(progress, 0.0, 0.7))
    table = shown_table(args.show, loss, scenario, scores, neighbour, portion(progress, 0.7, 1.0))
    return Answer(table=table, notes=request.notes, scenario=scenario)


def _item(scores: Scores, option: str, label: str) -> int:
    found = [i for i in range(scores.d) if scores.label(i) == label]
    if len(found) != 1:
        raise ParameterError(option, label, "the label of one item" + (f", not of {len(found)}" if found else ""))
    return found[0]


def shown_table(
    show: str, loss: PrivacyLoss, scenario: Scenario, scores: Scores, neighbour: Scores, progress: Progress
) -> "pd.DataFrame":
    """The table that `--show` asks for; `back` is the direction from the neighbour to the scores."""
    import pandas as pd

    ways = {"": loss, "back": loss.reversed}
    if show == "figures":
        return pd.DataFrame([_figures(loss, scenario)])
    if show == "curve":
        epsilons = np.linspace(0.0, scenario.epsilon, _POINTS)
        deltas = {_joined("delta", name): way.delta_curve(epsilons) for name, way in ways.items()}
        return pd.DataFrame({"epsilon": epsilons, **deltas})
    if show == "renyi":
        divergences = {_joined("divergence", name): way.renyi_curve(_ORDERS) for name, way in ways.items()}
        return pd.DataFrame({"order": np.array(_ORDERS, float), **divergences})
    if show == "values":
        parts = [
            pd.DataFrame({"world": world, "loss": way.values, "mass": way.mass})
            for world, way in (("scores", loss), ("neighbour", loss.reversed))
        ]
        return pd.concat(parts, ignore_index=True)
    first, second = inclusion_with_and_without(scenario.mechanisms[0], scores, neighbour, progress=progress)
    told: dict[str, Any] = {"item": [scores.label(i) for i in range(scores.d)], "score": scores.values.copy()}
    told["neighbour"] = neighbour.values.copy()
    for name, chances in (("", first), ("neighbour", second)):
        told |= {_joined(part, name): getattr(chances, part) for part in ("value", "low", "high")}
    return pd.DataFrame(told)


def _figures(loss: PrivacyLoss, scenario: Scenario) -> dict[str, Any]:
    (design,) = scenario.designs
    return {
        "mechanism": design.mechanism,
        "parameters": design.text,
        "epsilon": scenario.epsilon,
        "k": scenario.k,
        "method": loss.method,
        "largest": loss.largest,
        "mean": loss.mean,
        "mean_back": loss.reversed.mean,
        "seen": loss.seen,
        "output": loss.output.text,
    }


def _joined(name: str, world: str) -> str:
    return f"{name}_{world}" if world else name


LOSS = Command(
    add=_add,
    run=_run,
    examples=("-m canonical -e 1 -k 2 --example class_trip --up Zoo Castle --show curve",),
)
