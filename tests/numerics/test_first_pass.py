"""The first of many tests to pass, against a refined quadrature that shares no code."""

import math

import numpy as np
import pytest

from dpviz.margin.large_margin import draw_first_passing_test
from dpviz.numerics import first_pass as module
from dpviz.numerics.first_pass import (
    first_pass_law,
    shared_laplace_difference,
    shared_laplace_noise,
)
from dpviz.numerics.running_sums import running_sum_relative_error, running_sums

NOISES = {"difference": shared_laplace_difference(0.25, 0.5), "laplace": shared_laplace_noise(0.5)}
SHAPES = {
    "scattered": lambda rng, n: rng.normal(0, rng.uniform(0.1, 10), n),
    "rising": lambda rng, n: np.sort(rng.uniform(-18, 18, n)),
    "equal scores": lambda rng, n: rng.uniform(-8, 8) - 2.5 * np.log(np.arange(1, n + 1)),
    "on the threshold": lambda rng, n: np.full(n, rng.uniform(-8, 2)) + rng.normal(0, 1e-3, n),
    "closing": lambda rng, n: rng.uniform(-3, 10) - rng.exponential(3, n).cumsum()[::-1],
    "far apart": lambda rng, n: rng.choice([-1e6, -40.0, -9.0, 1e6], n, p=[0.4, 0.3, 0.299, 0.001]),
}


def refined(g, noise, panels=901):
    """Every test at every node of a fine grid that ends at every kink."""
    kinks = -g[np.abs(g) < noise.reach]
    edges = np.union1d(np.linspace(-noise.reach, noise.reach, panels), kinks)
    x, v = np.polynomial.legendre.leggauss(6)
    half = np.diff(edges)[:, None] / 2
    w = ((edges[1:] + edges[:-1])[:, None] / 2 + half * x).ravel()
    mass = (half * v).ravel() * noise.pdf(w)
    law = np.empty(len(g))
    for r, gap in enumerate(np.clip(g, -300, 300)):
        tail = 0.5 * np.exp(-np.abs(gap + w))
        passes = np.where(gap + w < 0, tail, 1 - tail)
        law[r] = mass @ passes
        mass = mass * (1 - passes)
    return law, mass.sum()


@pytest.mark.parametrize("noise", NOISES.values(), ids=NOISES)
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_law_equals_the_refined_quadrature(shape, noise):
    rng = np.random.default_rng(5)
    for n in (1, 2, 40, 300):
        g = shape(rng, n)
        law, rest = first_pass_law(g, noise)
        expected, none = refined(g, noise)
        assert np.abs(law - expected).sum() + abs(rest.none - none) <= rest.error <= 1e-11


def test_error_covers_kinks_that_are_not_split(monkeypatch):
    rng = np.random.default_rng(7)
    for most in (0, 3):
        monkeypatch.setattr(module, "_MOST_KINKS", most)
        for n in (1, 30):
            g = rng.normal(0, 4, n)
            law, rest = first_pass_law(g, NOISES["difference"])
            expected, none = refined(g, NOISES["difference"])
            assert np.abs(law - expected).sum() + abs(rest.none - none) <= rest.error
            if n > 1:
                assert rest.error > 1e-9  # it was the bound on the kinks that covered them


def test_draws_follow_the_law():
    rng = np.random.default_rng(8)
    noise = NOISES["difference"]
    size = 40_000
    for g in (np.array([-1.0, 0.5, -3.0, 2.0]), 1.0 - 2.5 * np.log(np.arange(1.0, 3001.0))):
        law, rest = first_pass_law(g, noise)
        shared = rng.laplace(0, 0.25, size) - rng.laplace(0, 0.5, size)
        found = draw_first_passing_test(lambda i, j, g=g: g[i:j], len(g), len(g), shared, rng)
        cells = np.append(law[:4], [law[4:].sum(), rest.none])
        seen = np.bincount(np.where(found == len(g), 5, np.minimum(found, 4)), minlength=6) / size
        assert np.all(np.abs(seen - cells) <= 5 * np.sqrt(cells * (1 - cells) / size) + 1e-4)


def test_running_sums_keep_their_digits():
    terms = np.full(1_000_000, 0.1)
    exact = 0.1 * np.arange(1, len(terms) + 1)
    error = np.max(np.abs(running_sums(terms) / exact - 1))
    assert error <= running_sum_relative_error(len(terms)) < 1e-12
    assert np.max(np.abs(np.cumsum(terms) / exact - 1)) > 10 * error
    for n in (3, 1000, 5000):
        assert abs(
            running_sums(terms[:n])[-1] / math.fsum(terms[:n]) - 1
        ) <= running_sum_relative_error(n)


def test_error_covers_the_nodes_that_are_dropped(monkeypatch):
    g = np.full(40, -1.0)
    monkeypatch.setattr(module, "_REST", 1e-6)
    law, rest = first_pass_law(g, NOISES["laplace"])
    expected, none = refined(g, NOISES["laplace"])
    assert 1e-7 < np.abs(law - expected).sum() + abs(rest.none - none) <= rest.error
