"""The same seeds replayed: a few releases of every design, each row of them with one seed for all."""

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st

from dpviz import charts
from dpviz.base.arrays import Ints
from dpviz.base.progress import Progress
from dpviz.charts.topk.replayed_seeds import replayed_seeds
from dpviz.ui.compare.sides import Side, labels
from dpviz.ui.shell import state
from dpviz.ui.shell.controls import on, place
from dpviz.ui.shell.show import computing, heading, show
from dpviz.ui.work.desk import PATIENCE, desk
from dpviz.ui.work.job import Done, Step
from dpviz.ui.work.pending import pending

__all__ = ["replay"]

RELEASES = 6
_LARGEST_SEED = 2**32 - 1


@st.fragment
def replay(of: Sequence[Side], look: charts.Look) -> None:
    """The section."""
    heading("The same seeds, replayed")
    seed = state.scenario().seed
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            "First seed",
            0,
            _LARGEST_SEED,
            seed,
            step=1,
            key=place("compare_seed", seed),
            on_change=on("compare_seed", lambda seed: state.change(seed=seed)),
            width=150,
            help="The same seeds give the same releases again.",
        )
        st.button(f"Next {RELEASES} seeds", icon=":material/casino:", key="next_seeds", on_click=_next)
    wanted = [(f"{side.answer.key} {seed}", lambda side=side: _steps(side, seed)) for side in of]
    jobs = desk().ask("draws", wanted, patience=PATIENCE)
    pending(*desk().jobs("draws"), key="replay")
    if all(job.finished and "ranks" in job.results for job in jobs):
        ranks = [job.results["ranks"] for job in jobs]
        show(replayed_seeds(labels(of), ranks, _seeds(seed), of[0].answer.scores, look=look), "replay")
    else:
        computing("The releases")
    st.html(
        '<p class="dp-how">Draws are illustrations. A release that is published must not use a seed that anyone knows, '
        "nor plain floating-point noise: make it with a library that guards against both, such as OpenDP.</p>"
    )
    state.write_link()


def _next() -> None:
    state.change(seed=(state.scenario().seed + RELEASES) % _LARGEST_SEED)


def _seeds(seed: int) -> list[int]:
    return [(seed + i) % (_LARGEST_SEED + 1) for i in range(RELEASES)]


def _steps(side: Side, seed: int) -> Mapping[str, Step]:
    """One release a seed, as 0-based ranks: the same as `sample` with that seed gives."""

    def ranks(progress: Progress, done: Done) -> Ints:
        draw = side.answer.mechanism.sampler(side.answer.scores)
        rows = []
        for i, each in enumerate(_seeds(seed)):
            progress(i / RELEASES)
            rows.append(draw(1, np.random.default_rng(each)))
        return np.concatenate(rows)

    return {"ranks": ranks}
