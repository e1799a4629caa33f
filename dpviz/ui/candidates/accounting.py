"""What repeats cost when one run is a Gaussian mechanism: needs the optional package dp-accounting."""

import importlib.util

import pandas as pd
import streamlit as st

from dpviz.base.errors import ParameterError
from dpviz.candidates import CANDIDATES, NegativeBinomialRepeats, PoissonRepeats
from dpviz.candidates.repeats import gaussian_totals
from dpviz.charts.words import number
from dpviz.reports.rule_words import LABELS
from dpviz.ui.candidates import rules
from dpviz.ui.candidates.parameters import GAUSSIAN
from dpviz.ui.shell.text import plain
from dpviz.ui.work.kept import Kept, kept

__all__ = ["gaussian"]


def gaussian(size: int) -> None:
    """Controls and totals, behind a fold."""
    box = st.expander(
        "If every run is a Gaussian mechanism", on_change="rerun", key="gaussian_totals", icon=":material/calculate:"
    )
    if not box.open:
        return
    with box:
        if importlib.util.find_spec("dp_accounting") is None:
            st.info(
                "This needs the package dp-accounting, which is not installed on this server: "
                "`python -m pip install dp-accounting`, or dpviz with its extra `accounting`.",
                icon=":material/extension:",
            )
            return
        with st.container(horizontal=True, width=460):
            noise = GAUSSIAN.number_box("noise", step=0.5)
            delta = GAUSSIAN.number_box("delta")
        try:
            repeats = [
                rule
                for rule in (rules.build(name) for name in CANDIDATES)
                if isinstance(rule, NegativeBinomialRepeats | PoissonRepeats)
            ]
        except ParameterError as err:
            st.error(plain(str(err)))
            return

        key = f"{[rule.key for rule in repeats]} {size} {noise!r} {delta!r}"
        latest: Kept[dict[str, float | None]] = kept("Gaussian totals", 1)  # quick enough to be computed on the page
        totals = latest.once(key, lambda: gaussian_totals(repeats, size, noise, delta))
        table = pd.DataFrame(
            {
                "way to choose": [LABELS[name] for name in totals],
                "total epsilon": [None if e is None else float(f"{e:.4g}") for e in totals.values()],
            }
        )
        st.dataframe(table, hide_index=True, width=460)
        st.html(
            f'<p class="dp-how">At δ = {number(delta)}, by the Rényi accountant of dp-accounting. Known threshold and '
            "random stopping are not among them: their theorems are about (ε1, δ1), and random stopping is negative "
            "binomial repeats with η = 1.</p>"
        )
