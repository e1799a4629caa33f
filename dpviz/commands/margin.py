"""`margin`: one item of a huge universe, by large margin and what it is held against, as the page Margin shows it."""

import argparse
import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dpviz.base.errors import ParameterError
from dpviz.base.parameters import check_integer
from dpviz.base.progress import Progress, each
from dpviz.base.scores import Scores
from dpviz.commands.base import Answer, Command
from dpviz.commands.request import add_settings, requested
from dpviz.margin.compared import COMPARED
from dpviz.margin.one_item import TopOneLaw, TopOneMechanism
from dpviz.margin.universe_curve import universe_curve, universe_sizes
from dpviz.studies.pages.margin import Settings, declared_for, read
from dpviz.studies.scenario import Scenario

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MARGIN"]


def _add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--show",
        choices=("figures", "items", "universe"),
        default="figures",
        help="the chance of the best and of a good item, by mechanism; of every listed item; as the universe grows",
    )
    own = parser.add_argument_group("large margin")
    own.add_argument("--delta", type=float, metavar="δ", help="its chance of failure (default 1e-6)")
    own.add_argument(
        "--universe", type=int, metavar="N", help="items in all; those not listed have score 0 (default: the example's)"
    )
    own.add_argument("--digits", type=int, metavar="N", help="the universe as a power of ten, up to 1000")
    own.add_argument("--good", type=float, metavar="S", help="an item this far below the best is good")
    add_settings(parser, k=False)


def _run(args: argparse.Namespace, progress: Progress) -> Answer:
    request = requested(args, progress, own=True)
    scores = request.scores
    scenario, settings, told = _settings(args, request.scenario, scores)
    delta, universe, good = settings.delta, settings.universe, settings.good
    notes = (*request.notes, *told)

    def at(name: str) -> TopOneMechanism:
        return COMPARED[name].replace(epsilon=scenario.epsilon, delta=delta)

    if args.show == "universe":
        return Answer(table=_curves(at, scores, good, progress), notes=notes, scenario=scenario)
    laws: dict[str, TopOneLaw | str] = {}
    for name, part in each(list(COMPARED), progress):
        try:
            laws[name] = at(name).distribution(scores, zeros=universe - scores.d, progress=part)
        except ParameterError as err:
            if name == "large_margin":
                raise
            laws[name] = str(err)
    known = {name: law for name, law in laws.items() if not isinstance(law, str)}
    if args.show == "items":
        return Answer(table=_items(known, scores), notes=notes, scenario=scenario)
    rows = []
    for name, law in laws.items():
        row: dict[str, Any] = {"mechanism": name, "epsilon": scenario.epsilon, "delta": delta}
        row |= {"log10_universe": math.log10(universe), "good": good}
        figures = ("best", "near_best", "zero_mass", "fail", "error", "method")
        if isinstance(law, str):
            row |= dict.fromkeys(figures) | {"reason": law}
        else:
            row |= {"best": law.best, "near_best": law.near_best(good), "zero_mass": law.zero_mass, "fail": law.fail}
            row |= {"error": law.error, "method": law.method, "reason": ""}
        rows.append(row)
    return Answer(table=rows, notes=notes, scenario=scenario)


def _settings(args: argparse.Namespace, scenario: Scenario, scores: Scores) -> tuple[Scenario, Settings, list[str]]:
    """The scenario with what the options say in its page, the page's settings, and what is told of them."""
    if args.universe is not None and args.digits is not None:
        raise ParameterError("--digits", args.digits, "left out with --universe")
    declared = declared_for(scenario, scores)
    said = {name: getattr(args, name) for name in ("delta", "digits", "good") if getattr(args, name) is not None}
    said = {name: declared.check(name, value) for name, value in said.items()}
    scenario = scenario.replace(page={**scenario.page, **said})
    settings, told = read(scenario, scores)
    if args.universe is not None:  # a page goes on from some size in digits
        settings = replace(settings, universe=check_integer("--universe", args.universe, low=scores.d))
    if args.digits is not None:  # where the scores do not allow it, a mechanism says why
        settings = replace(settings, universe=max(scores.d, 10**args.digits))
    return scenario, settings, told


def _items(laws: dict[str, TopOneLaw], scores: Scores) -> "pd.DataFrame":
    import pandas as pd

    order = scores.order
    told: dict[str, Any] = {"rank": scores.rank[order] + 1, "item": [scores.label(int(i)) for i in order]}
    told["score"] = scores.values[order]
    return pd.DataFrame(told | {name: law.inclusion[order] for name, law in laws.items()})


def _curves(at: Callable[[str], TopOneMechanism], scores: Scores, good: float, progress: Progress) -> "pd.DataFrame":
    import pandas as pd

    sizes = universe_sizes(scores.d)
    columns: dict[str, Any] = {"universe": sizes}
    for name, part in each(list(COMPARED), progress):
        curve, _ = universe_curve(at(name), scores, good, sizes, part)
        columns |= {f"{name}_low": curve.low, f"{name}_high": curve.high}
    return pd.DataFrame(columns)


MARGIN = Command(
    add=_add,
    run=_run,
    examples=(
        "-e 0.5 --example chat_openings",
        "-e 1 --delta 1e-3 --universe 100000 --example help_line --show items",
        "-e 1 --example help_line --show universe",
    ),
)
