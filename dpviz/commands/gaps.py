"""`gaps`: what noisy top-k and sparse vector throw away, as the page Gaps shows it."""

import argparse
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from dpviz.base.errors import ParameterError
from dpviz.base.parameters import check_inside
from dpviz.base.progress import Progress, each
from dpviz.base.scores import Scores
from dpviz.commands.base import Answer, Command
from dpviz.commands.laws import UNSAFE
from dpviz.commands.request import add_settings, requested
from dpviz.gaps.gap_experiment import measuring_error, repeatable_experiment
from dpviz.gaps.noisy_top_k import NoisyTopKWithGap
from dpviz.gaps.sparse.mechanism import SPLITS, THRESHOLD, ThresholdMechanism
from dpviz.gaps.sparse.query_order import ORDERS
from dpviz.studies.pages.gaps import CUSTOM, GAPS_PAGE, HALVES, read
from dpviz.studies.scenario import Scenario

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["GAPS"]

_SHOWN = ("figures", "release", "queries")
_SPARSE = ("threshold", "quantile", "split", "order", "shuffle", "confidence")


def _add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--half", choices=list(HALVES), help="noisy top-k (default), or sparse vector")
    parser.add_argument(
        "--show",
        choices=_SHOWN,
        default="figures",
        help="what the gaps are worth and how many answers come out; one release; for sparse vector each query",
    )
    sparse = parser.add_argument_group("sparse vector")
    sparse.add_argument("--threshold", type=float, metavar="T", help="in units of the scores")
    sparse.add_argument("--quantile", type=float, metavar="Q", help="the threshold as one of the scores (default 0.95)")
    splits = f"{', '.join(SPLITS)} (default optimal), or the threshold's share of ε, above 0 and below 1"
    sparse.add_argument("--split", metavar="SPLIT", help=f"of ε between threshold and answers: {splits}")
    sparse.add_argument("--order", choices=list(ORDERS), help="in which queries are asked (default given)")
    sparse.add_argument("--shuffle", type=int, metavar="N", help="the seed of the order shuffled (default 1)")
    sparse.add_argument("--confidence", type=float, metavar="C", help="of the lower bounds (default 0.95)")
    add_settings(parser)


def _run(args: argparse.Namespace, progress: Progress) -> Answer:
    request = requested(args, progress, own=True)
    scores, scenario = request.scores, _changed(args, request.scenario)
    settings = read(scenario, scores)
    notes = (*request.notes, UNSAFE) if args.show == "release" else request.notes
    if settings.half == "top_k":
        for name in _SPARSE:
            if getattr(args, name) is not None:
                raise ParameterError(f"--{name}", getattr(args, name), "left out but for --half sparse_vector")
        if args.show == "queries":
            raise ParameterError("--show", "queries", "figures or release but for --half sparse_vector")
        return Answer(table=_top_k(args.show, scenario, scores, progress), notes=notes, scenario=scenario)
    ways = {name: settings.mechanism(THRESHOLD[name], scenario.epsilon, scenario.k, scores) for name in THRESHOLD}
    show = {"figures": _figures, "release": _releases, "queries": _queries}[args.show]
    table = show(ways, settings.asked(scores), settings.confidence, scenario.seed, progress)
    return Answer(table=table, notes=notes, scenario=scenario)


def _changed(args: argparse.Namespace, scenario: Scenario) -> Scenario:
    """The scenario with what the options say in its page."""
    if args.threshold is not None and args.quantile is not None:
        raise ParameterError("--quantile", args.quantile, "left out with --threshold")
    names = ("half", "threshold", "quantile", "order", "shuffle", "confidence")
    said = {name: getattr(args, name) for name in names if getattr(args, name) is not None}
    if "threshold" in said or "quantile" in said:
        said["by"] = "value" if "threshold" in said else "quantile"
    if args.split is not None:
        said |= {"split": args.split} if args.split in SPLITS else {"split": CUSTOM, "share": _share(args.split)}
    return scenario.replace(page={**scenario.page, **{GAPS_PAGE.prefix + name: value for name, value in said.items()}})


def _share(text: str) -> float:
    try:
        return check_inside("--split", float(text))
    except ValueError:
        allowed = f"one of {', '.join(SPLITS)}, or the threshold's share of ε, above 0 and below 1"
        raise ParameterError("--split", text, allowed) from None


def _top_k(show: str, scenario: Scenario, scores: Scores, progress: Progress) -> "pd.DataFrame":
    import pandas as pd

    epsilon, k = scenario.epsilon, scenario.k
    if show == "release":
        out = NoisyTopKWithGap(epsilon=epsilon, k=k).release(scores, rng=np.random.default_rng(scenario.seed))
        items = [scores.label(i) for i in out.items.tolist()]
        return pd.DataFrame({"place": np.arange(1, k + 1), "item": items, "gap": out.gaps})
    found = repeatable_experiment(scores, epsilon=epsilon, k=k, progress=progress)
    row: dict[str, Any] = {"epsilon": epsilon, "k": k}
    row["error_measured"] = measuring_error(scores, epsilon, k)
    for name, squared in (("", found.combined.value), ("_low", found.combined.low), ("_high", found.combined.high)):
        row[f"error_with_gaps{name}"] = math.sqrt(max(squared, 0.0))
    row |= {"ratio": found.ratio.value, "ratio_low": found.ratio.low, "ratio_high": found.ratio.high}
    return pd.DataFrame([row | {"ratio_formula": found.formula, "method": "estimated", "draws": found.runs}])


Ways = dict[str, ThresholdMechanism]


def _figures(ways: Ways, scores: Scores, confidence: float, seed: int, progress: Progress) -> "pd.DataFrame":
    import pandas as pd

    rows = []
    for (name, mechanism), part in each(list(ways.items()), progress):
        law, bounds = mechanism.distribution(scores), mechanism.coverage(scores, confidence, progress=part)
        above = scores.values >= mechanism.threshold
        row: dict[str, Any] = {"mechanism": name, "epsilon": mechanism.epsilon, "k": mechanism.k}
        row |= {"threshold": mechanism.threshold, "answers": law.expected_answers, "spent": law.spent}
        row |= {"answers_above": float(law.answered[above].sum()), "answers_below": float(law.answered[~above].sum())}
        row |= {"precision": law.precision, "confidence": confidence, "covered": bounds.overall}
        rows.append(row | {"method": law.method})
    return pd.DataFrame(rows)


def _releases(ways: Ways, scores: Scores, confidence: float, seed: int, progress: Progress) -> "pd.DataFrame":
    import pandas as pd

    tables = []
    for name, mechanism in ways.items():
        out = mechanism.release(scores, rng=np.random.default_rng(seed), confidence=confidence)
        items = out.items.tolist()
        columns = {"query": [i + 1 for i in items], "item": [scores.label(i) for i in items], "gap": out.gaps}
        tables.append(pd.DataFrame({"mechanism": name, **columns, "at_least": out.lower_bounds}))
    progress(1.0)
    return pd.concat(tables, ignore_index=True)


def _queries(ways: Ways, scores: Scores, confidence: float, seed: int, progress: Progress) -> "pd.DataFrame":
    import pandas as pd

    columns: dict[str, Any] = {"query": np.arange(1, scores.d + 1)}
    columns |= {"item": [scores.label(i) for i in range(scores.d)], "score": scores.values.copy()}
    for (name, mechanism), part in each(list(ways.items()), progress):
        law = mechanism.distribution(scores, progress=part)
        columns |= {f"{name}_reached": law.reached, f"{name}_answered": law.answered}
    return pd.DataFrame(columns)


GAPS = Command(
    add=_add,
    run=_run,
    examples=(
        "-e 1 -k 10 --example song_listeners",
        "--half sparse_vector --threshold 100 -k 5 --show queries --example help_line",
        "--half sparse_vector --show release --split 0.3 --seed 7 -k 3",
    ),
)
