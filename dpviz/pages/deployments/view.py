"""Deployments in a chart and tables, and a plan among them."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import pandas as pd

from dpviz.base import round_up
from dpviz.base.text_format import percent_upper_bound
from dpviz.charts import (
    LIGHT,
    Chart,
    Look,
    count_text,
    join_with_and,
    number_text,
)
from dpviz.charts.decision.deployments import GuessRow, deployments_chart
from dpviz.data.deployments import UNIT_GROUPS, Deployment, public_deployments
from dpviz.pages.deployments.sentences import (
    NOT_STATED,
    join_curators,
    parameters_text,
    period_text,
    plan_among_deployments_sentence,
    right_guess_bound_phrase,
    right_guess_bound_text,
    unit_text,
    yearly_cost_sentences,
)
from dpviz.studies import Design
from dpviz.studies.deployments import (
    DeploymentFigures,
    figures_sorted_by_guesses,
    nearest_deployments_below_and_above,
    stated_mechanism,
)

TITLE: Final = "What do others promise?"
PLAN: Final = "Your plan"

SORTS: Final[dict[str, tuple[str, Callable[[DeploymentFigures], tuple[object, ...]]]]] = {
    "guess": ("right guesses", lambda one: _last_if_none(one.guess)),
    "who": ("who", lambda one: (join_curators(one.deployment).lower(),)),
    "what": ("what", lambda one: (one.deployment.name.lower(),)),
    "unit": ("unit", lambda one: _last_if_none(one.deployment.unit)),
    "epsilon": ("ε", lambda one: _last_if_none(one.deployment.epsilon)),
    "rho": ("ρ", lambda one: _last_if_none(one.deployment.rho)),
    "date": ("date", lambda one: _last_if_none(one.deployment.date)),
}
"""Orders of the table: the words, and the key."""


def _last_if_none(value: float | str | None) -> tuple[object, ...]:
    return value is None, value


def filtered_figures(
    deployments: Iterable[Deployment], unit: str | None = None, kind: str | None = None
) -> list[DeploymentFigures]:
    """Figures of the deployments with this kind of unit and of product, the strongest first."""
    return [
        one
        for one in figures_sorted_by_guesses(tuple(deployments))
        if unit in {None, one.deployment.unit_group} and kind in {None, one.deployment.kind}
    ]


def filter_choices(deployments: Iterable[Deployment]) -> dict[str, list[str]]:
    groups, kinds = zip(*((one.unit_group, one.kind) for one in deployments), strict=True)
    return {
        "unit": [group for group in (*reversed(UNIT_GROUPS), "other") if group in groups],
        "kind": sorted({kind for kind in kinds if kind is not None}),
    }


def deployment_guesses_chart(
    deployments: Sequence[DeploymentFigures], look: Look, opened_slug: str | None = None
) -> Chart:
    """Right guesses of an attacker in every deployment where they are known."""
    rows = [
        _row(one, opened=one.deployment.slug == opened_slug) for one in deployments if one.guess
    ]
    local = sum(one.deployment.is_local for one in deployments)
    unsaid = len(deployments) - len(rows) - local
    parts = [f"{local} where devices add the noise"] if local else []
    parts += [f"{unsaid} that do not state enough"] if unsaid else []
    left_out = [f"Not drawn: {join_with_and(parts)}."] if parts else []
    return deployments_chart(
        rows, " ".join(yearly_cost_sentences(deployments) + left_out), look=look
    )


def plan_chart(guess: float, unit: str, look: Look = LIGHT) -> Chart:
    """A plan between public deployments of the same kind of unit."""
    below, above = nearest_deployments_below_and_above(
        guess, unit, figures_sorted_by_guesses(public_deployments())
    )
    plan = GuessRow(PLAN, percent_upper_bound(guess), None, f"{unit}, all lists", plan=True)
    rows = [*map(_row, below), plan, *map(_row, above)]
    says = f"With your plan an attacker {right_guess_bound_phrase(guess)} about one {unit}. "
    return deployments_chart(rows, says + plan_among_deployments_sentence(guess, unit), look=look)


def _row(one: DeploymentFigures, *, opened: bool = False) -> GuessRow:
    of, year = one.deployment, one.year_guess
    return GuessRow(
        of.name,
        percent_upper_bound(one.guess or 0.0),
        None if year is None else percent_upper_bound(year),
        of.unit or NOT_STATED,
        plan=of.guess is not None,
        opened=opened,
    )


def trial_button_and_changes(deployment: Deployment) -> tuple[str, dict[str, Any]] | None:
    """Button and changes of a scenario that try a deployment; None where nothing can be computed."""
    rule = stated_mechanism(deployment)
    if (
        rule is not None
        and deployment.threshold is not None
        and deployment.contributions is not None
    ):
        parameters = {
            "sigma" if rule.sigma else "scale": round_up(rule.sigma or rule.stated_scale or 0.0, 5),
            "threshold": deployment.threshold,
            "contributions": deployment.contributions,
            "names_known": bool(deployment.names_known),
        }
        return (
            f"Try its noise, threshold and limit of {count_text(deployment.contributions, 'item')} on my data",
            {"designs": (Design(mechanism="threshold_counts", parameters=parameters),)},
        )
    if deployment.is_local or deployment.epsilon is None or deployment.rho is not None:
        return None
    return f"Try ε = {number_text(deployment.epsilon)} on my data", {"epsilon": deployment.epsilon}


def deployment_cells_and_sources(
    deployments: Sequence[DeploymentFigures], order: str
) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Cells from the name to the model of each deployment in this order, and its sources."""
    return [
        (
            (
                of.name,
                join_curators(of),
                unit_text(of),
                period_text(of),
                parameters_text(of),
                right_guess_bound_text(one.guess),
                right_guess_bound_text(one.year_guess) if of.period else "–",
                of.model or NOT_STATED,
            ),
            of.sources,
        )
        for one in sorted(deployments, key=SORTS[order][1])
        for of in [one.deployment]
    ]


def fact_rows(figures: DeploymentFigures) -> list[tuple[str, str]]:
    of = figures.deployment
    facts = {
        "Published by": join_curators(of),
        "Kind": of.kind,
        "Since": of.date,
        "Unit": of.unit,
        "One unit is": of.unit_details,
        "Per": period_text(of) if of.unit else None,
        "Releases": of.release_type,
        "Who adds the noise": _MODELS.get(of.model or "", of.model),
        "Mechanism": of.mechanisms,
        "Not protected": of.unprotected,
    }
    return [(name, said or NOT_STATED) for name, said in facts.items()]


_MODELS: Final = {
    "Central": "The publisher, who holds the true data",
    "Local": "Each device",
    "Varies": "Each device, then mixed",
}


_COLUMNS: Final[dict[str, Callable[[DeploymentFigures], object]]] = {
    "slug": lambda one: one.deployment.slug,
    "name": lambda one: one.deployment.name,
    "curators": lambda one: "; ".join(one.deployment.curators),
    "kind": lambda one: one.deployment.kind,
    "unit": lambda one: one.deployment.unit,
    "period": lambda one: one.deployment.period and one.deployment.period[0],
    "delta_text": lambda one: one.deployment.delta_text,
    "model": lambda one: one.deployment.model,
    "noise": lambda one: one.deployment.noise,
    "date": lambda one: one.deployment.date,
    "sources": lambda one: " ".join(one.deployment.sources),
}
_NUMBERS: Final[dict[str, Callable[[DeploymentFigures], float | None]]] = {
    "epsilon": lambda one: one.deployment.epsilon,
    "delta": lambda one: one.deployment.delta,
    "rho": lambda one: one.deployment.rho,
    "contributions": lambda one: one.deployment.contributions,
    "threshold": lambda one: one.deployment.threshold,
    "scale": lambda one: one.scale,
    "guess": lambda one: one.guess,
    "guess_year": lambda one: one.year_guess,
    "exact_epsilon": lambda one: None if one.exact is None else one.exact.epsilon,
    "exact_delta": lambda one: None if one.exact is None else one.exact.delta,
    "published_at_100": lambda one: one.publication_chance,
}


def deployments_table(deployments: Sequence[DeploymentFigures]) -> pd.DataFrame:
    """Table for the command line: stated parameters, and the figures that follow from them."""
    texts = {name: [read(one) for one in deployments] for name, read in _COLUMNS.items()}
    numbers = {name: [read(one) for one in deployments] for name, read in _NUMBERS.items()}
    return pd.DataFrame(texts | numbers).astype(dict.fromkeys(numbers, float))
