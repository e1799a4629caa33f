"""Mechanisms that are not ours: a function that draws, a measurement of OpenDP, a class of a
notebook.
"""

import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
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

    def _score(self, x: Floats, h: Ints, t: Ints) -> Floats:
        return 2 * super()._score(x, h, t)


def test_a_function_is_estimated_like_any_other() -> None:
    own, ours = FromSampler(noisy_top, epsilon=1.0, k=2), OneShot(epsilon=1.0, k=2)
    law = own.distribution(S, rng=1)
    low, high = law.interval("top")
    assert law.method == "estimated"
    assert low < ours.distribution(S).top < high
    assert (
        own.sample(S, 50, rng=2)
        == np.sort(noisy_top(S, 50, np.random.default_rng(2), 1.0, 2), axis=1)
    ).all()


def test_epsilon_for_a_goal_asks_the_function_at_every_epsilon() -> None:
    found = smallest_epsilon(FromSampler(noisy_top, epsilon=1.0, k=1), S, probability=0.8)
    least = smallest_epsilon(OneShot(epsilon=1.0, k=1), S, probability=0.8)
    assert least < found < 1.2 * least


@pytest.mark.parametrize(
    ("changes", "says"), [({"epsilon": 2.0}, "draw takes no epsilon"), ({"k": 2}, "takes no k")]
)
def test_a_function_of_one_epsilon_is_not_taken_for_one_of_another(
    changes: dict[str, Any], says: str
) -> None:
    own = FromSampler(fixed, epsilon=1.0, k=1)
    with pytest.raises(ParameterError, match=says):
        own.replace(**changes)
    with pytest.raises(ParameterError, match="draw takes no epsilon"):
        smallest_epsilon(own, S, probability=0.9)
    assert own.replace(epsilon=1.0) == own


@pytest.mark.parametrize(
    ("outputs", "says"),
    [
        (lambda n: np.zeros((n, 2), int), "shape"),
        (lambda n: np.full(n, 0.5), "float64"),
        (lambda n: np.full(n, 3), "item indices from 0 to 2"),
        (lambda n: np.full(n, -1), "item indices from 0 to 2"),
    ],
)
def test_what_comes_out_is_checked(outputs: Any, says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        FromSampler(lambda scores, size, rng: outputs(size), epsilon=1.0, k=1).sample(S, 3, rng=0)
    with pytest.raises(ParameterError, match="2 distinct items"):
        FromSampler(lambda scores, size, rng: np.zeros((size, 2), int), epsilon=1.0, k=2).sample(
            S, 3, rng=0
        )


def test_keys_tell_functions_apart() -> None:
    anew = [FromSampler(partial(noisy_top, epsilon=e, k=1), epsilon=1.0, k=1) for e in (1.0, 2.0)]
    assert anew[0].key != anew[1].key
    assert (
        FromSampler(fixed, epsilon=1.0, k=1).key == f"FromSampler({__name__}.fixed,epsilon=1.0,k=1)"
    )
    with pytest.raises(ParameterError, match="draw must be a function"):
        FromSampler("no function", epsilon=1.0, k=1)  # type: ignore[arg-type]


def test_opendp_brings_its_epsilon() -> None:
    dp = pytest.importorskip("opendp.prelude")
    dp.enable_features("contrib")
    space = (
        dp.vector_domain(dp.atom_domain(T=float, nan=False)),
        dp.linf_distance(T=float, monotonic=True),
    )
    theirs = from_opendp(dp.m.make_noisy_top_k(*space, dp.max_divergence(), 2, scale=2.0), k=2)
    assert theirs.epsilon == pytest.approx(1.0)
    assert agrees(
        theirs, Peeled, samples=2_000, confidence=0.999999
    ).holds  # its draws are new in every run
    whole = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int, monotonic=True)
    in_rho = dp.m.make_noisy_max(*whole, dp.zero_concentrated_divergence(), scale=2.0)
    with pytest.raises(
        ParameterError,
        match=r"^epsilon must be given, as the measurement's map is not in terms of ε\.$",
    ):
        from_opendp(in_rho, d_in=1)
    assert from_opendp(in_rho, epsilon=0.5).sample(S, 3, rng=0).shape == (3, 1)
    with pytest.raises(ParameterError, match="a measurement of OpenDP"):
        from_opendp(fixed)


Peeled = TOP_K["peeling"](epsilon=1.0, k=2, noise="exponential").distribution(
    S
)  # one after the other, as OpenDP does


def test_a_class_on_no_menu_is_run_measured_and_solved_for() -> None:
    own, other = Doubled(epsilon=1.0, k=1), S.values + np.array([1, 0, 0])
    ours = Canonical(epsilon=2.0, k=1)
    neighbour = Scores(other, labels=S.labels, monotonic=True)
    assert own.distribution(S).top == ours.distribution(S).top
    assert privacy_loss(own, S, neighbour).largest == privacy_loss(ours, S, neighbour).largest
    assert smallest_epsilon(own, S, probability=0.9) == pytest.approx(
        smallest_epsilon(ours, S, probability=0.9) / 2
    )
    assert (own.name, own.called(None), estimate(own, S).mechanism.key[:8]) == (
        "Doubled",
        "Doubled",
        "Doubled(",
    )


OWN = """
from dataclasses import dataclass

from dpviz import Canonical


@dataclass(frozen=True, kw_only=True)
class Doubled(Canonical):
    def _score(self, x, h, t):
        return 2 * super()._score(x, h, t)
"""


def test_a_class_of_ones_own_goes_into_a_pool_of_processes(
    menu: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as there, TemporaryDirectory() as folder:
        Path(folder, "doubled_here.py").write_text(OWN)
        there.syspath_prepend(folder)
        own = import_module("doubled_here").Doubled
        designs = [Design(mechanism=own), Design(mechanism="canonical")]
        grid = Sweep(
            scores={"votes": S}, designs=designs, epsilons=[1.0, 2.0], ks=[1], figures=["top"]
        )
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            table = run_sweep(grid, executor=pool)
    top = {(row["mechanism"], row["epsilon"]): row["value"] for row in table.to_dict("records")}
    assert top["Doubled", 1.0] == top["canonical", 2.0]


def test_with_a_file_of_ones_own_its_classes_are_on_the_menus(tmp_path: Path) -> None:
    path = tmp_path / "own_file.py"
    path.write_text(OWN)
    asked = [
        "distribution",
        "-m",
        "Doubled:gamma=0.5",
        "-e",
        "1",
        "-k",
        "2",
        "--example",
        "class_trip",
    ]
    done = [
        subprocess.run(
            [sys.executable, "-m", "dpviz", *argv],
            capture_output=True,
            text=True,
            check=False,
            cwd=ROOT,
        )
        for argv in (
            [*asked, "--with", str(path)],
            asked,
            [*asked, "--with", str(tmp_path / "none.py")],
        )
    ]
    assert [each.returncode for each in done] == [0, 2, 2], done[0].stderr
    assert "Doubled" in done[0].stdout
    assert "--with must be a file that is there" in done[2].stderr


class Point:
    """An entry point that loads what it is given, or fails."""

    value = "some.package:Thing"

    def __init__(self, name: str, loads: Any) -> None:
        self.name, self.loads = name, loads

    def load(self) -> Any:
        if isinstance(self.loads, Exception):
            raise self.loads
        return self.loads


def test_installed_packages_bring_theirs(menu: None, monkeypatch: pytest.MonkeyPatch) -> None:
    points = SimpleNamespace(
        select=lambda group: [Point("doubled", Doubled), Point("broken", ImportError("no numpy"))]
    )
    monkeypatch.setattr("dpviz.base.plugins._points", lambda: points)
    with pytest.warns(
        UserWarning,
        match="broken, which some.package:Thing brings to dpviz, does not load: no numpy",
    ):
        register_entry_points(TOP_K, "dpviz.mechanisms")
    assert (TOP_K["doubled"], "broken" in TOP_K) == (Doubled, False)
    assert Doubled(epsilon=1.0, k=1).name == "doubled"


def test_a_name_of_dpviz_is_not_taken_away() -> None:
    impostor = type("canonical", (Doubled,), {})
    with pytest.raises(ParameterError, match="a name that dpviz does not have"):
        Design(mechanism=impostor)
    with pytest.raises(ParameterError, match="a subclass of TopKMechanism"):
        Design(mechanism=int)


def always_first(scores: Scores, size: int, rng: np.random.Generator, epsilon: float) -> Any:
    """The first item, whatever is asked."""
    return np.zeros(size, np.int64)


def test_a_sampler_is_a_design_in_every_process(menu: None) -> None:
    own = FromSampler(always_first, epsilon=1.0, k=1)
    design = Design(mechanism=own)
    assert (design.mechanism, TOP_K["always_first"]) == (
        "always_first",
        own.as_class("always_first"),
    )
    assert Design(mechanism=own) == pickle.loads(pickle.dumps(design)) == design
    grid = Sweep(
        scores={"votes": S}, designs=[design], epsilons=[1.0, 2.0], ks=[1], figures=["top"]
    )
    law = own.distribution(S)
    assert run_sweep(grid)["value"].tolist() == [law.top, law.top]
    unmoved = Design(mechanism=FromSampler(fixed, epsilon=1.0, k=1))
    with pytest.raises(
        ParameterError, match=r"epsilon must be 1\.0, as draw takes no epsilon, not 2\.0"
    ):
        unmoved.build(2.0, 1).distribution(S)
