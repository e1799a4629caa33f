"""The same seeds replayed: a few releases of every design, each row of them with one seed for all."""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import streamlit as st

from dpviz import charts
from dpviz.base.arrays import Ints
from dpviz.base.progress import Progress
from dpviz.charts.topk.replayed_seeds import replayed_seeds
from dpviz.ui.compare.sides import Side, labels
from dpviz.ui.shell import state
from dpviz.ui.shell.controls import LARGEST_SEED, seed_box
from dpviz.ui.shell.page import ILLUSTRATIONS
from dpviz.ui.shell.show import computing, folded, show
from dpviz.ui.work.desk import PATIENCE, desk
from dpviz.ui.work.job import Done, Job, Step
from dpviz.ui.work.pending import filling, part

__all__ = ["replay"]

RELEASES = 6


def replay(of: Sequence[Side], look: charts.Look) -> None:
    """The section."""
    line = f"The same seeds, replayed: {RELEASES} releases of every design, item by item"
    folded(line, "replay", lambda: _replayed(of, look))


def _replayed(of: Sequence[Side], look: charts.Look) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        seed = seed_box("compare_seed", "The same seeds give the same releases again.", "First seed")
        st.button(f"Next {RELEASES} seeds", icon=":material/casino:", key="next_seeds", on_click=_next)
    wanted = [(f"{side.answer.key} {seed}", lambda side=side: _steps(side, seed)) for side in of]
    jobs = desk().ask("draws", wanted, patience=PATIENCE)
    with filling(lambda: desk().jobs("draws"), "replay"):
        part("releases", partial(_releases, of, jobs, seed, look), lambda: [job.finished for job in jobs], alone=True)
    st.html(ILLUSTRATIONS)
    state.write_link()


def _releases(of: Sequence[Side], jobs: Sequence[Job], seed: int, look: charts.Look) -> None:
    if all(job.finished and "ranks" in job.results for job in jobs):
        ranks = [job.results["ranks"] for job in jobs]
        show(replayed_seeds(labels(of), ranks, _seeds(seed), of[0].answer.scores, look=look), "replay")
    else:
        computing("The releases")


def _next() -> None:
    state.change(seed=(state.scenario().seed + RELEASES) % LARGEST_SEED)


def _seeds(seed: int) -> list[int]:
    return [(seed + i) % (LARGEST_SEED + 1) for i in range(RELEASES)]


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
