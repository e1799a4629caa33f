"""Tables of Neighbours for the command line; a lower bound stands beside its upper bound."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from dpviz.pages.neighbours.study import NeighboursStudy

_DELTAS = 41
_ALPHAS = 101
_ORDERS = (1, 1.25, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128)


def figures_table(study: NeighboursStudy) -> pd.DataFrame:
    scenario, loss = study.scenario, study.loss
    (design,) = scenario.designs
    return pd.DataFrame(
        [
            {
                "mechanism": design.mechanism,
                "parameters": design.parameter_text,
                "epsilon": scenario.epsilon,
                "k": scenario.k,
                "method": loss.method,
                "largest": loss.largest,
                "mean": loss.mean,
                "mean_back": loss.reversed.mean,
                "advantage": loss.advantage,
                "seen": loss.seen,
                "output": loss.output.text,
            }
        ]
    )


def delta_curve_table(study: NeighboursStudy) -> pd.DataFrame:
    """δ and the chance of a loss above each ε' up to ε, in both directions."""
    epsilons, loss = np.linspace(0.0, study.scenario.epsilon, _DELTAS), study.loss
    back = loss.reversed.delta_curve(epsilons)
    above, above_back = ([way.exceeds(at) for at in epsilons] for way in (loss, loss.reversed))
    columns = {"epsilon": epsilons, "delta": loss.delta_curve(epsilons), "delta_back": back}
    return pd.DataFrame(
        columns
        | {
            "exceeds": above,
            "exceeds_back": above_back,
            "delta_allowed": loss.allowed.delta_curve(epsilons),
        }
    )


def trade_off_table(study: NeighboursStudy) -> pd.DataFrame:
    """Misses at each chance of a false alarm under the scores; `miss_least` is a lower bound."""
    alphas, loss = np.linspace(0.0, 1.0, _ALPHAS), study.loss
    lines = loss.trade_off(alphas), loss.trade_off_least(alphas), loss.allowed.trade_off(alphas)
    return pd.DataFrame(
        dict(zip(("alpha", "miss", "miss_least", "miss_allowed"), (alphas, *lines), strict=True))
    )


def renyi_table(study: NeighboursStudy) -> pd.DataFrame:
    forth, back = study.loss.renyi_curve(_ORDERS), study.loss.reversed.renyi_curve(_ORDERS)
    return pd.DataFrame(
        {"order": np.array(_ORDERS, float), "divergence": forth, "divergence_back": back}
    )


def loss_values_by_world_table(study: NeighboursStudy) -> pd.DataFrame:
    parts = [
        pd.DataFrame({"world": name, "loss": way.values, "mass": way.mass})
        for name, way in {"scores": study.loss, "neighbour": study.loss.reversed}.items()
    ]
    return pd.concat(parts, ignore_index=True)


def items_table(study: NeighboursStudy) -> pd.DataFrame:
    here, there = study.two_worlds.here, study.two_worlds.there
    columns: dict[str, Any] = {
        "item": list(here.names),
        "score": here.values.copy(),
        "neighbour": there.values.copy(),
    }
    for ending, chances in zip(("", "_neighbour"), study.inclusion_probabilities, strict=True):
        columns |= {part + ending: getattr(chances, part) for part in ("value", "low", "high")}
    return pd.DataFrame(columns)


def moved_items_table(study: NeighboursStudy) -> pd.DataFrame:
    here = study.two_worlds.here
    moved = study.two_worlds.there.values - here.values
    order = [int(i) for i in here.order if moved[i]]
    return pd.DataFrame(
        {
            "rank": here.rank[order] + 1,
            "item": [here.label(i) for i in order],
            "score": here.values[order],
            "moved": moved[order],
        }
    )


STEPS = {"items": "inclusion_probabilities", "moved": "two_worlds"}
"""Step that a table needs, where that is not the loss."""
TABLES: Mapping[str, Callable[[NeighboursStudy], pd.DataFrame]] = {
    "figures": figures_table,
    "curve": delta_curve_table,
    "trade_off": trade_off_table,
    "renyi": renyi_table,
    "values": loss_values_by_world_table,
    "items": items_table,
    "moved": moved_items_table,
}
