"""ε and k on the strip."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from dpviz.base import declared_parameters
from dpviz.pages.common import PageSubject
from dpviz.studies import Scenario
from dpviz.topk import TopKMechanism
from dpviz.web.session import state
from dpviz.web.widgets import slider_preview
from dpviz.web.widgets.controls import MORE, STAGE, Edit, number_box
from dpviz.web.widgets.print_header import page_name
from dpviz.web.widgets.slider import slider, slider_stops

_BOX_HIGH = 10_000.0


def _edit(where: str, name: str, value: object) -> None:
    state.change_scenario(where, **{name: value})


def show_epsilon_and_k(scenario: Scenario, *, k: bool = True) -> None:
    """ε and k on the strip; without `k` the page is about one item only."""
    declared = {p.name: p for p in declared_parameters(TopKMechanism)}
    of = None if scenario.needs_data else PageSubject(scenario, state.scores(scenario))
    page = page_name()
    stops = None if of is None else slider_preview.page_slider_stops(page, of)
    show_budget_control(
        "epsilon",
        scenario.epsilon,
        partial(_edit, STAGE, "epsilon"),
        stops=stops,
        mark="" if of is None or stops is None else slider_preview.page_preview_key(page, of),
        labels=("ε, the privacy budget", "ε, exactly"),
        help=(
            "Smaller ε: one person's data change the answer less, and the answer is right less"
            " often. "
        )
        + declared["epsilon"].help
        + " The slider goes as far as something happens on these data, the box beside it takes any"
        " value up to 10,000.",
        high=max(_BOX_HIGH, scenario.epsilon),
    )
    if k:
        show_k_control(scenario, partial(_edit, STAGE, "k"))


def show_k_control(scenario: Scenario, edit: Edit) -> None:
    """k on the strip, limited by the data only where somebody chose them."""
    k = state.scenario_as_chosen().k
    limits: dict[str, Any] = {}
    if state.is_data_chosen() and not scenario.needs_data:
        d = state.scores(scenario).d
        limits = {"high": max(d - 1, k), "why": f", as there are {d:,} items"}
    number_box("k, items out", k, edit, "k", called="k", low=1, where=STAGE, **limits)


def show_budget_control(
    key: str,
    value: float,
    edit: Edit,
    *,
    labels: tuple[str, str],
    help: str | None,
    high: float,
    stops: Sequence[float] | None = None,
    mark: str = "",
) -> None:
    """A budget on the strip: a logarithmic slider with named ends, and a box for any value.

    `mark` is the page's preview key: the slider previews the steps computed under it.
    """
    slider(
        f"{key}_slider",
        labels[0],
        stops or slider_stops(min(0.01, value / 10), 100.0, value),
        value,
        edit,
        ends=MORE,
        help=help or "",
        mark=mark,
    )
    number_box(
        labels[1],
        value,
        edit,
        key,
        called=labels[1].partition(",")[0],
        low=0.0,
        above=True,
        high=high,
        where=STAGE,
    )
