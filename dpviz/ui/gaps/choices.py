"""The controls of the half on sparse vectors, on the page itself: threshold, split of ε, order."""

from collections.abc import Mapping

import streamlit as st

from dpviz.base.parameters import parameters
from dpviz.base.scores import Scores
from dpviz.charts.words import count, number
from dpviz.gaps.sparse.mechanism import ThresholdMechanism
from dpviz.gaps.sparse.query_order import ORDERS
from dpviz.gaps.sparse.sparse_vector import SparseVector
from dpviz.ui.gaps.settings import BY, CUSTOM, PAGE, SPLIT_MENU, Settings
from dpviz.ui.shell.controls import LARGEST_SEED, bound, number_box
from dpviz.ui.shell.text import three

__all__ = ["choices", "order_choice"]

_DECLARED = {p.name: p for p in parameters(SparseVector)}


def choices(scores: Scores, settings: Settings, mechanisms: Mapping[str, ThresholdMechanism] | None) -> None:
    """One row of controls, and what they come to."""
    columns = st.columns([1.15, 1.1, 1.35, 1.1], gap="medium", vertical_alignment="bottom")
    with columns[0]:
        st.segmented_control(
            _DECLARED["threshold"].label,
            options=list(BY),
            format_func=BY.__getitem__,
            default=settings.by,
            required=True,
            help="Public: it must not be chosen by looking at the private data.",
            **bound("gaps.by", settings.by, lambda by: _switch(by, settings)),
        )
    with columns[1]:
        _threshold(settings)
    with columns[2]:
        st.selectbox(
            _DECLARED["split"].label,
            options=list(SPLIT_MENU),
            format_func=SPLIT_MENU.__getitem__,
            index=list(SPLIT_MENU).index(settings.split),
            help=_DECLARED["split"].help,
            **PAGE.bound("split", settings.split),
        )
    with columns[3]:
        if settings.split == CUSTOM:
            PAGE.percent_box(
                "share",
                settings.share,
                "Threshold's share, %",
                (0.1, 99.9),
                step=5.0,
                help="How much of ε the threshold's noise takes; answers share the rest.",
            )
    if mechanisms is not None:
        st.html(f'<p class="dp-note">{_comes_to(scores, settings, mechanisms["plain"], mechanisms["adaptive"])}</p>')


def _threshold(settings: Settings) -> None:
    if settings.by == "quantile":
        PAGE.percent_box(
            "quantile",
            settings.quantile,
            "Quantile, %",
            (0.0, 100.0),
            format="%.6g",
            help="The threshold is this quantile of the scores: 95 % leaves one query in twenty above it.",
        )
        return
    st.number_input(
        "Threshold, in score units",
        value=settings.threshold,
        format="%.10g",
        help=_DECLARED["threshold"].help,
        **PAGE.bound("threshold", settings.threshold),
    )


def _switch(by: str, settings: Settings) -> None:
    """By hand one starts from the threshold that the quantile gave."""
    PAGE.change(by=by, **({"threshold": settings.threshold} if by == "value" else {}))


def _comes_to(scores: Scores, settings: Settings, plain: ThresholdMechanism, adaptive: ThresholdMechanism) -> str:
    above = int((scores.values >= settings.threshold).sum())
    return (
        f"Threshold {number(settings.threshold)}: {count(above, 'query', 'queries')} of {scores.d:,} at or above it. "
        f"ε = {three(plain.epsilon0)} for the threshold + {plain.units:,} × {three(plain.unit)} for "
        f"plain answers, or {adaptive.units:,} × {three(adaptive.unit)} for adaptive ones (one or two each)."
    )


def order_choice(settings: Settings) -> None:
    """Which order everything above is about; the seed of a shuffle beside it."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        PAGE.switch("order", "All figures above are for the queries", ORDERS.label, settings.order)
        number_box(
            "Seed of the shuffle",
            settings.shuffle,
            lambda seed: PAGE.change(shuffle=seed),
            "gaps.shuffle",
            low=0,
            high=LARGEST_SEED,
            width=160,
        )
