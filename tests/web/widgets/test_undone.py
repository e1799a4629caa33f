"""What Undo can bring back is bounded by bytes, and the last change can always be taken back."""

from types import SimpleNamespace

import numpy as np
import pytest

from dpviz import Scenario, Scores
from dpviz.studies.data_spec import DataSpec
from dpviz.web.session import state


def of(scores: Scores, epsilon: float = 1.0) -> tuple[Scenario, bool, bool]:
    return (
        Scenario(data=DataSpec(source="uploaded", d=scores.d), scores=scores, epsilon=epsilon, k=2),
        True,
        True,
    )


@pytest.mark.parametrize(("bytes_", "kept"), [(0, 1), (240_000, 2), (360_000, 3), (10**9, 5)])
def test_other_data_are_kept_while_there_is_room(
    bytes_: int, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = [Scores(np.arange(1000.0) + n) for n in range(6)]
    monkeypatch.setattr(state, "scenario", lambda: of(data[-1])[0])
    monkeypatch.setattr(state, "current_budgets", lambda: SimpleNamespace(undone=bytes_))
    before = [of(each) for each in data[:-1]]
    assert state._remembered(before) == before[-kept:]


def test_one_s_own_data_count_once(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = Scores(np.arange(1000.0))
    monkeypatch.setattr(state, "scenario", lambda: of(scores)[0])
    monkeypatch.setattr(state, "current_budgets", lambda: SimpleNamespace(undone=0))
    before = [of(scores, epsilon) for epsilon in np.linspace(0.1, 1.0, 60)]
    assert state._remembered(before) == before[-50:]
