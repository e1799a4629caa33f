"""`audit`: what the library finds, of dpviz, OpenDP, diffprivlib and one's own function."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from dpviz import Canonical, audit
from dpviz.privacy.neighbours import move_scores
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.scenario import Scenario
from tests.commands.conftest import Ran

TRIP = "audit --example class_trip --up Zoo -e 1"
OWN = """
import numpy as np

def draw(scores, size, rng):
    return np.argmax(scores.values + rng.exponential({scale}, (size, scores.d)), axis=1)
"""
FLIP = "-m one_shot:noise=exponential -k 1"  # permute-and-flip
Run = Callable[..., tuple[int, list[dict[str, str]], str]]


@pytest.fixture
def audited(run: Callable[[str], Ran]) -> Run:
    def ask(line: str) -> tuple[int, list[dict[str, str]], str]:
        ran = run(f"{TRIP} {line}")
        return ran.code, ran.rows, ran.err

    return ask


@pytest.fixture
def own(tmp_path: Path) -> Callable[[float], str]:
    def write(scale: float) -> str:
        path = tmp_path / f"own_{str(scale).replace('.', '_')}.py"
        path.write_text(OWN.format(scale=scale))
        return f"{path}:draw"

    return write


def test_it_is_what_the_library_finds(audited: Run) -> None:
    scores = Scenario(data=DataSpec(name="class_trip")).load()
    step = np.array([float(name == "Zoo") for name in scores.names])
    found = audit(
        Canonical(epsilon=1.0, k=2), scores, move_scores(scores, step), epsilon=1.0, samples=5_000
    )
    code, (row,), said = audited("-m canonical -k 2 --draws 5000")
    assert (code, float(row["at_least"]), row["event"]) == (0, found.at_least, found.event)
    assert (row["agrees"], said) == (
        "True",
        "dpviz: No claim is refuted. Its draws agree with the exact law.\n",
    )


def test_a_function_that_raises_is_named_with_its_error(audited: Run, tmp_path: Path) -> None:
    path = tmp_path / "worn_out.py"
    path.write_text("def draw(scores, size, rng):\n    return size / 0\n")
    code, rows, said = audited(f"--drawn-by {path}:draw --epsilon 1 --draws 2000")
    assert (code, rows) == (2, [])
    assert "draw raised ZeroDivisionError (division by zero) in line 2 of worn_out.py." in said


def test_a_broken_function_is_refuted_and_the_program_says_so(
    audited: Run, own: Callable[[float], str]
) -> None:
    code, rows, said = audited(f"--drawn-by {own(0.5)} --rho 0.1 --exit-code")
    assert (code, [row["claim"] for row in rows]) == (3, ["epsilon", "rho"])
    assert "ε is claimed to be 1 and is at least 1." in said
    assert "agrees" not in rows[0]  # nobody said whose law it should have
    right = audited(f"--drawn-by {own(1.0)} {FLIP} --exit-code")
    assert (right[0], right[1][0]["agrees"]) == (0, "True")
    assert audited(f"--drawn-by {own(0.5)} {FLIP}")[1][0]["agrees"] == "False"


def test_a_law_that_is_not_followed_ends_the_program_so_though_every_claim_holds(
    audited: Run, own: Callable[[float], str]
) -> None:
    code, (row,), _ = audited(f"--drawn-by {own(2.0)} {FLIP} --exit-code")
    assert (code, row["holds"], row["agrees"]) == (3, "True", "False")


def test_opendp_keeps_its_promise_and_has_the_law(audited: Run) -> None:
    sure = "--confidence 0.999999"  # OpenDP draws from the entropy of the system
    code, (row,), _ = audited(f"--drawn-by opendp {FLIP} --draws 1500 {sure}")
    assert (code, row["holds"], row["agrees"]) == (0, "True", "True")
    code, _, said = audited("--drawn-by opendp -m joint -k 2")
    assert (code, "one that OpenDP draws" in said) == (2, True)


def test_diffprivlib_is_asked_as_it_wants_to_be(
    audited: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stand-in with its signature, as it loads with old versions of scikit-learn only."""

    class PermuteAndFlip:
        def __init__(self, *, epsilon: float, sensitivity: float, **given: Any) -> None:
            assert set(given) == {"utility", "monotonic", "random_state"}
            self.rng, self.utility = np.random.default_rng(given["random_state"]), given["utility"]
            self.scale = sensitivity * (1 if given["monotonic"] else 2) / epsilon

        def randomise(self) -> int:
            noise = self.rng.exponential(self.scale, len(self.utility))
            return int(np.argmax(self.utility + noise))

    library = ModuleType("diffprivlib")
    library.mechanisms = ModuleType("diffprivlib.mechanisms")  # type: ignore[attr-defined]
    library.mechanisms.PermuteAndFlip = PermuteAndFlip  # type: ignore[attr-defined]
    asked = "--drawn-by diffprivlib -m one_shot:noise=exponential"
    with monkeypatch.context() as there:
        there.setitem(sys.modules, "diffprivlib", library)
        assert audited(f"{asked} -k 1 --draws 2000")[1][0]["agrees"] == "True"
        assert "one that diffprivlib draws" in audited(f"{asked} -k 2")[2]
    monkeypatch.setitem(sys.modules, "diffprivlib", None)
    assert "--drawn-by must be installed so that it loads" in audited(f"{asked} -k 1")[2]


def test_the_report_says_it_in_words(
    audited: Run, own: Callable[[float], str], tmp_path: Path
) -> None:
    path = tmp_path / "audit.html"
    assert audited(f"--drawn-by {own(0.5)} {FLIP} -o {path}")[0] == 0
    page = path.read_text(encoding="utf-8")
    for words in (
        "is wrong",
        "Its draws do not follow the exact law.",
        "Draws can refute a claim",
        "Science museum",
    ):
        assert words in page
