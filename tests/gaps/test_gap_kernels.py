"""Kernels behind gaps and sparse vectors, each against another formula."""

import numpy as np
import pytest
from scipy import stats

from dpviz.base.progress import ignore_progress
from dpviz.gaps import noisy_top_draws
from dpviz.gaps.noisy_top_draws import draw_noisy_top_with_values
from dpviz.gaps.sparse import answer_chain
from dpviz.gaps.sparse.lower_bounds import laplace_difference_quantile, laplace_difference_sf
from tests.meters import FALSE_ALARM


def test_difference_by_simulation_and_symmetry() -> None:
    rng = np.random.default_rng(0)
    for a, b in ((1.0, 1.0), (0.5, 2.0), (2.0, 0.5)):
        noise = rng.laplace(scale=1 / a, size=200_000) - rng.laplace(scale=1 / b, size=200_000)
        for w in (-2.0, 0.0, 1.0, 4.0):
            chance = float(laplace_difference_sf(w, a, b))
            assert stats.binomtest(int((noise >= w).sum()), len(noise), chance).pvalue > FALSE_ALARM
            assert chance + float(laplace_difference_sf(-w, a, b)) == pytest.approx(1.0)
        assert laplace_difference_quantile(0.25, a, b) == -laplace_difference_quantile(0.75, a, b)
        assert float(laplace_difference_sf(laplace_difference_quantile(1e-300, a, b), a, b)) == 1.0
    equal, nearly = (float(laplace_difference_sf(3.0, 1.0, b)) for b in (1.0, 1.0 + 1e-9))
    assert nearly == pytest.approx(equal, rel=1e-8)


@pytest.mark.parametrize(
    "values", [np.zeros(400), np.arange(400.0), np.r_[np.full(3, 60.0), np.zeros(500)]]
)
def test_noisy_top_has_the_law_of_drawing_everything(values: np.ndarray) -> None:
    """Largest and third largest values, and the winner, against dense draws (two-sample tests)."""
    rng, runs, scale = np.random.default_rng(12), 4000, 5.0
    items, top = draw_noisy_top_with_values(values, scale, 3, runs, rng)
    assert items.shape == top.shape == (runs, 3)
    assert (np.diff(top, axis=1) <= 0).all()
    noisy = values + rng.laplace(scale=scale, size=(runs, len(values)))
    order = np.argsort(-noisy, axis=1)[:, :3]
    dense = np.take_along_axis(noisy, order, axis=1)
    for column in (0, 2):
        for seen, other in (
            (top, dense),
            (items, order),
            (top - values[items], dense - values[order]),  # the noise of the selected
        ):
            assert stats.ks_2samp(seen[:, column], other[:, column]).pvalue > FALSE_ALARM


def test_runs_with_too_few_above_the_level_are_completed(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a level far too high nearly every run has to be, and the law stays."""
    honest = noisy_top_draws._level
    monkeypatch.setattr(noisy_top_draws, "_level", lambda v, scale, wanted: honest(v, scale, 2.0))
    rng, values = np.random.default_rng(13), np.arange(200.0) / 10
    _, top = draw_noisy_top_with_values(values, 5.0, 3, 2500, rng)
    noisy = np.sort(values + rng.laplace(scale=5.0, size=(2500, 200)), axis=1)[:, ::-1]
    for column in range(3):
        assert stats.ks_2samp(top[:, column], noisy[:, column]).pvalue > FALSE_ALARM


def test_exceedances_are_independent_events_of_their_chances() -> None:
    chance, runs = np.array([0.02, 0.3, 0.49, 0.51, 0.97]), 40_000
    seen = np.zeros((runs, len(chance)), int)
    np.add.at(seen, noisy_top_draws._exceeding(chance, runs, np.random.default_rng(14)), 1)
    assert seen.max() == 1
    together, wanted = seen.T @ seen, np.outer(chance, chance)
    np.fill_diagonal(wanted, chance)
    for count, p in zip(together.ravel(), wanted.ravel(), strict=True):
        assert stats.binomtest(int(count), runs, float(p)).pvalue > FALSE_ALARM


ALONE = {"tracks_answer_count": False, "progress": ignore_progress}


def test_units_that_are_forgotten_are_counted_as_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty queries answered with ⅓ each: seldom are all or none answered."""
    monkeypatch.setattr(answer_chain, "_NEGLIGIBLE", 1e-3)

    def chances(start: int, stop: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        size = stop - start
        return np.full((1, size, 1), 1 / 3), np.full((size, 1), 2 / 3), np.zeros((0, size, 1))

    above = np.zeros(40, bool)
    done = answer_chain.walk_queries((1,), 50, chances, np.ones(1), above, **ALONE)
    forgotten = 1 - done.final.sum()
    assert 1e-4 < forgotten <= done.dropped + 1e-14
    off = np.abs(done.final[:41] - stats.binom.pmf(np.arange(41), 40, 1 / 3))
    assert off.sum() <= 2 * done.dropped
