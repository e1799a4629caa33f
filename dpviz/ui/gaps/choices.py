"""The controls of the half on sparse vectors, on the page itself: threshold, split of ε, order."""

from collections.abc import Mapping

import numpy as np
import streamlit as st

from dpviz.base.parameters import parameters
from dpviz.base.scores import Scores
from dpviz.charts.words import count, number
from dpviz.gaps.sparse.mechanism import ThresholdMechanism
from dpviz.gaps.sparse.query_order import ORDERS
from dpviz.gaps.sparse.sparse_vector import SparseVector
from dpviz.ui.gaps.settings import CUSTOM, SPLIT_MENU, Settings
from dpviz.ui.gaps.worth_cards import LARGEST_SEED, put
from dpviz.ui.shell.controls import on, place

__all__ = ["choices", "order_choice"]

_DECLARED = {p.name: p for p in parameters(SparseVector)}
_BY = {"quantile": "by quantile", "value": "by hand"}


def choices(scores: Scores, settings: Settings, mechanisms: Mapping[str, ThresholdMechanism] | None) -> None:
    """One row of controls, and what they come to."""
    columns = st.columns([1.15, 1.1, 1.35, 1.1], gap="medium", vertical_alignment="bottom")
    with columns[0]:
        st.segmented_control(
            _DECLARED["threshold"].label,
            options=list(_BY),
            format_func=lambda by: _BY[by],
            default=settings.by,
            key=place("gaps_by", settings.by),
            on_change=on("gaps_by", lambda by: _switch(by, settings)),
            required=True,
            help="Public: it must not be chosen by looking at the private data.",
        )
    with columns[1]:
        _threshold(settings)
    with columns[2]:
        st.selectbox(
            _DECLARED["split"].label,
            options=list(SPLIT_MENU),
            format_func=lambda split: SPLIT_MENU[split],
            index=list(SPLIT_MENU).index(settings.split),
            key=place("gaps_split", settings.split),
            on_change=on("gaps_split", lambda split: put("split", split)),
            help=_DECLARED["split"].help,
        )
    with columns[3]:
        if settings.split == CUSTOM:
            st.number_input(
                "Threshold's share, %",
                0.1,
                99.9,
                100 * settings.share,
                step=5.0,
                format="%.4g",
                key=place("gaps_share", settings.share),
                on_change=on("gaps_share", lambda value: put("share", value / 100)),
                help="How much of ε the threshold's noise takes; answers share the rest.",
            )
    if mechanisms is not None:
        st.html(f'<p class="dp-note">{_comes_to(scores, settings, mechanisms["plain"], mechanisms["adaptive"])}</p>')


def _threshold(settings: Settings) -> None:
    if settings.by == "quantile":
        st.number_input(
            "Quantile, %",
            0.0,
            100.0,
            100 * settings.quantile,
            step=1.0,
            format="%.6g",
            key=place("gaps_quantile", settings.quantile),
            on_change=on("gaps_quantile", lambda value: put("quantile", value / 100)),
            help="The threshold is this quantile of the scores: 95 % leaves one query in twenty above it.",
        )
        return
    st.number_input(
        "Threshold, in score units",
        value=settings.threshold,
        format="%.10g",
        key=place("gaps_threshold", settings.threshold),
        on_change=on("gaps_threshold", lambda value: put("threshold", float(value))),
        help=_DECLARED["threshold"].help,
    )


def _switch(by: str, settings: Settings) -> None:
    """By hand one starts from the threshold that the quantile gave."""
    if by == "value":
        put("threshold", settings.threshold)
    put("by", by)


def _comes_to(scores: Scores, settings: Settings, plain: ThresholdMechanism, adaptive: ThresholdMechanism) -> str:
    above = int((scores.values >= settings.threshold).sum())
    told = (
        f"Threshold {number(settings.threshold)}: {count(above, 'query', 'queries')} of {scores.d:,} at or above it. "
    )
    return (
        told + f"ε = {_three(plain.epsilon0)} for the threshold + {plain.units:,} × {_three(plain.unit)} for "
        f"plain answers, or {adaptive.units:,} × {_three(adaptive.unit)} for adaptive ones (one or two each)."
    )


def _three(value: float) -> str:
    return number(float(f"{np.float64(value):.3g}"))


def order_choice(settings: Settings) -> None:
    """Which order everything above is about; the seed of a shuffle beside it."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            "All figures above are for the queries",
            options=list(ORDERS),
            format_func=ORDERS.label,
            default=settings.order,
            key=place("gaps_order", settings.order),
            on_change=on("gaps_order", lambda order: put("order", order)),
            required=True,
        )
        st.number_input(
            "Seed of the shuffle",
            0,
            LARGEST_SEED,
            settings.shuffle,
            step=1,
            key=place("gaps_shuffle", settings.shuffle),
            on_change=on("gaps_shuffle", lambda value: put("shuffle", value)),
            width=160,
        )
