"""Mechanisms that are not ours: functions that draw, OpenDP's measurements, own classes."""

import pickle
import subprocess
import sys
from dataclasses import dataclass
from functools import partial
from itertools import combinations, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from dpviz import (
    TOP_K,
    Canonical,
    Design,
    FromSampler,
    OneShot,
    ParameterError,
    Scores,
    Sweep,
    TopKMechanism,
    agrees,
    estimate,
    from_opendp,
    privacy_loss,
    run_sweep,
    smallest_epsilon,
)
from dpviz.base import Floats, Ints, register_entry_points

ROOT = Path(__file__).resolve().parents[2]
S = Scores({"a": 5, "b": 3, "c": 1}, monotonic=True)


def noisy_top(scores: Scores, size: int, rng: Generator, epsilon: float, k: int) -> Ints:
    """One-shot with gumbel noise, the best first."""
    noisy = scores.values + rng.gumbel(0, k / epsilon, (size, scores.d))
    return np.argsort(-noisy, axis=1)[:, :k]


def fixed(scores: Scores, size: int, rng: Generator) -> Ints:
    return noisy_top(scores, size, rng, 1.0, 1)


@dataclass(frozen=True, kw_only=True)
class Doubled(Canonical):
    """Says ε and spends 2ε; as it may stand in a notebook, on no menu."""

    def class_score(self, x: Floats, h: Ints, t: Ints) -> Floats:  # type: ignore[override]
        return -self.epsilon * self.class_loss(x, h, t)


@dataclass(frozen=True, kw_only=True)
class Floor(TopKMechanism):
    """Only the worst item counts, at half of ε; `factor` makes broken twins."""

    factor: float = 1.0
    noise: str = "gumbel"

    def class_score(self, x: Floats, h: Ints, t: Ints) -> Floats:  # type: ignore[override]
        return self.factor * self.epsilon / 2 * x[t - 1]


def test_a_class_of_ones_own_has_an_exact_law_by_its_score() -> None:
    votes, k = Scores([5, 3, 3, 1, 0]), 2
    own = Floor(epsilon=1.5, k=k)
    law = own.distribution(votes)
    sets = list(combinations(range(5), k))
    weights = np.exp([0.75 * min(votes.values[list(items)]) for items in sets])
    chances = np.exp([law.log_probability(items) for items in sets])
    assert law.method == "exact"
    np.testing.assert_allclose(chances, weights / weights.sum(), atol=1e-9)
    assert agrees(own, law, samples=20_000).holds
    assert smallest_epsilon(own, votes, probability=0.5, figure="optimal") > 0
    assert own.replace(noise="laplace").distribution(votes).method == "exact"


@pytest.mark.parametrize("noise", ["gumbel", "exponential"])
def test_an_own_class_keeps_epsilon_and_a_broken_twin_does_not(noise: str) -> None:
    lost = dict.fromkeys((1.0, 2.0), 0.0)
    for moves in product((-1, 0, 1), repeat=4):
        s = Scores([2, 2, 1, 0])
        for factor in lost:
            m = Floor(epsilon=1.0, k=2, noise=noise, factor=factor)
            loss = privacy_loss(m, s, Scores(s.values + moves))
            assert loss.method == "exact"
            lost[factor] = max(lost[factor], loss.largest)
    assert lost[1.0] <= 1 + 1e-9
    assert lost[2.0] > 1.2


def test_an_own_class_that_cannot_be_computed_is_told_what_it_lacks() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Bare(TopKMechanism):
        pass

    with pytest.raises(ParameterError, match=r"class_score\(x, h, t\) or sampler\(scores, prog"):
        Bare(epsilon=1.0, k=1).distribution(S)
    with pytest.raises(ParameterError, match="never falls with h and never rises with t"):
        Floor(epsilon=1.0, k=1, factor=-1.0).distribution(S)


def test_a_function_is_estimated_like_any_other() -> None:
    own, ours = FromSampler(noisy_top, epsilon=1.0, k=2), OneShot(epsilon=1.0, k=2)
    law = own.distribution(S, rng=1)
    low, high = law.interval("top")
    assert law.method == "estimated"
    assert low < ours.distribution(S).top < high
    drawn = noisy_top(S, 50, np.random.default_rng(2), 1.0, 2)
    np.testing.assert_array_equal(own.sample(S, 50, rng=2), np.sort(drawn, axis=1))
    found, least = (smallest_epsilon(m.replace(k=1), S, probability=0.8) for m in (own, ours))
    assert least < found < 1.2 * least


def test_a_function_of_one_epsilon_is_not_taken_for_one_of_another() -> None:
    own = FromSampler(fixed, epsilon=1.0, k=1)
    for says, call in {
        "draw takes no epsilon": lambda: own.replace(epsilon=2.0),
        "takes no k": lambda: own.replace(k=2),
        "draw takes no eps": lambda: smallest_epsilon(own, S, probability=0.9),
    }.items():
        with pytest.raises(ParameterError, match=says):
            call()
    assert own.replace(epsilon=1.0) == own


@pytest.mark.parametrize(
    ("k", "outputs", "says"),
    [
        (1, lambda n: np.zeros((n, 2), int), "shape"),
        (1, lambda n: np.full(n, 0.5), "float64"),
        (1, lambda n: np.full(n, 3), "item indices from 0 to 2"),
        (1, lambda n: np.full(n, -1), "item indices from 0 to 2"),
        (2, lambda n: np.zeros((n, 2), int), "2 distinct items"),
    ],
)
def test_what_comes_out_is_checked(k: int, outputs: Any, says: str) -> None:
    own = FromSampler(lambda scores, size, rng: outputs(size), epsilon=1.0, k=k)
    with pytest.raises(ParameterError, match=says):
        own.sample(S, 3, rng=0)


def test_opendp_brings_its_epsilon() -> None:
    dp = pytest.importorskip("opendp.prelude")
    dp.enable_features("contrib")
    counts = dp.vector_domain(dp.atom_domain(T=float, nan=False))
    space = counts, dp.linf_distance(T=float, monotonic=True)
    theirs = from_opendp(dp.m.make_noisy_top_k(*space, dp.max_divergence(), 2, scale=2.0), k=2)
    assert theirs.epsilon == pytest.approx(1.0)
    # one after the other, as OpenDP does; its draws are new in every run
    peeled = TOP_K["peeling"](epsilon=1.0, k=2, noise="exponential").distribution(S)
    assert agrees(theirs, peeled, samples=2_000, confidence=0.999999).holds
    whole = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int, monotonic=True)
    in_rho = dp.m.make_noisy_max(*whole, dp.zero_concentrated_divergence(), scale=2.0)
    with pytest.raises(ParameterError, match="epsilon must be given, as the measurement's map is"):
        from_opendp(in_rho, d_in=1)
    assert from_opendp(in_rho, epsilon=0.5).sample(S, 3, rng=0).shape == (3, 1)
    with pytest.raises(ParameterError, match="a measurement of OpenDP"):
        from_opendp(fixed)


def test_a_class_on_no_menu_is_run_measured_and_solved_for() -> None:
    own, ours = Doubled(epsilon=1.0, k=1), Canonical(epsilon=2.0, k=1)
    neighbour = Scores(S.values + np.array([1, 0, 0]), labels=S.labels, monotonic=True)
    assert own.distribution(S).top == ours.distribution(S).top
    assert privacy_loss(own, S, neighbour).largest == privacy_loss(ours, S, neighbour).largest
    half = smallest_epsilon(ours, S, probability=0.9) / 2
    assert smallest_epsilon(own, S, probability=0.9) == pytest.approx(half)
    assert (own.name, own.called(None)) == ("Doubled", "Doubled")
    assert estimate(own, S).mechanism.key.startswith("Doubled(")


OWN = """
from dataclasses import dataclass

from dpviz import Canonical


@dataclass(frozen=True, kw_only=True)
class Doubled(Canonical):
    def class_score(self, x, h, t):
        return -self.epsilon * self.class_loss(x, h, t)
"""


def test_with_a_file_of_ones_own_its_classes_are_on_the_menus(tmp_path: Path) -> None:
    path = tmp_path / "own_file.py"
    path.write_text(OWN)
    asked = ["distribution", "-m", "Doubled", "-e", "1", "-k", "2", "--example", "class_trip"]
    with_file, with_none = ([*asked, "--with", str(each)] for each in (path, tmp_path / "none.py"))
    run: Any = partial(subprocess.run, cwd=ROOT, capture_output=True, text=True, check=False)
    command = [sys.executable, "-m", "dpviz"]
    done = [run([*command, *argv]) for argv in (with_file, asked, with_none)]
    assert [each.returncode for each in done] == [0, 2, 2], done[0].stderr
    assert "Doubled" in done[0].stdout
    assert "--with must be a file that is there" in done[2].stderr


def test_installed_packages_bring_theirs(menu: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> None:
        raise ImportError("no numpy")

    points = [
        SimpleNamespace(name=name, value="some.package:Thing", load=load)
        for name, load in (("doubled", lambda: Doubled), ("broken", fails))
    ]
    selected = SimpleNamespace(select=lambda group: points)
    monkeypatch.setattr("dpviz.base.user_code._points", lambda: selected)
    says = "broken, which some.package:Thing brings to dpviz, does not load: no numpy"
    with pytest.warns(UserWarning, match=says):
        register_entry_points(TOP_K, "dpviz.mechanisms")
    assert (TOP_K["doubled"], "broken" in TOP_K) == (Doubled, False)
    assert Doubled(epsilon=1.0, k=1).name == "doubled"


def always_first(scores: Scores, size: int, rng: np.random.Generator, epsilon: float) -> Any:
    """The first item, whatever is asked."""
    return np.zeros(size, np.int64)


def test_a_sampler_is_a_design_in_every_process(menu: None) -> None:
    own = FromSampler(always_first, epsilon=1.0, k=1)
    design = Design(mechanism=own)
    assert TOP_K[design.mechanism] == own.as_class("always_first")
    assert Design(mechanism=own) == pickle.loads(pickle.dumps(design)) == design
    grid: Any = {"scores": {"votes": S}, "epsilons": [1.0, 2.0], "ks": [1], "figures": ["top"]}
    table = run_sweep(Sweep(designs=[design], **grid))
    assert table["value"].tolist() == [own.distribution(S).top] * 2
    with pytest.raises(ParameterError, match="a name that dpviz does not have"):
        Design(mechanism=type("canonical", (Doubled,), {}))
