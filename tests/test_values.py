"""Values for a notebook: laws equal by value, tidy frames, arrays."""

import copy
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpviz import CandidatePool, Canonical, ParameterError, Scores, figures_by_epsilon
from dpviz.base.registry import Registry
from dpviz.topk.figure_curve import figures_by_k
from tests.menus import contract_for
from tests.test_laws import EVERY, POOL, SCORES, data_for

M = Canonical(epsilon=1.0, k=2)
ADDRESS_OR_ARRAY = re.compile(r"object at 0x|array\(")


@pytest.mark.parametrize(("menu", "name"), EVERY, ids=[name for _, name in EVERY])
def test_laws_of_the_same_are_equal_and_tell_what_they_are_of(
    menu: Registry[Any], name: str
) -> None:
    m = next(each for each in contract_for(menu, name).examples if each.name == name)  # type: ignore[attr-defined]
    data = data_for(m)
    law, again = m.distribution(data), m.replace().distribution(copy.copy(data))
    assert law == again
    assert hash(law) == hash(again)
    if data is POOL:
        other: Any = CandidatePool([*POOL.candidates[1:], [1.0, 2.0]])
    else:
        other = replace(data, values=data.values + np.arange(data.d))
    assert law != m.distribution(other)
    assert law != data
    assert not ADDRESS_OR_ARRAY.search(repr(law)), repr(law)


def test_figures_are_named_and_make_one_tidy_frame() -> None:
    curves = figures_by_epsilon(M, SCORES, [0.5, 1.0, 2.0], figures=["top", "share"])
    top, share = curves
    assert (curves["top"], curves["share"], curves[1]) == (top, share, share)
    with pytest.raises(ParameterError, match="figure must be one of top, share, not 'good'"):
        curves["good"]
    frame = curves.frame()
    assert frame.columns.tolist() == ["figure", "epsilon", "value", "low", "high", "method"]
    row = frame[(frame["figure"] == "share") & (frame["epsilon"] == 1.0)].iloc[0]
    law = M.distribution(SCORES)
    assert (row["value"], row["method"]) == (law.share, "exact")
    told = law.frame().set_index("figure")
    assert told.loc["share", "value"] == law.share
    assert tuple(told.loc["top", ["low", "high"]]) == law.interval("top")
    assert figures_by_k(M, SCORES, [1, 2]).frame()["k"].tolist() == [1, 2] * 3


def test_scores_are_an_array_and_are_asked_by_label() -> None:
    scores = Scores({"ash": 3, "oak": 5})
    assert np.asarray(scores, dtype=np.float32).dtype == np.float32
    assert (scores["oak"], scores[0], float(np.mean(scores))) == (5.0, 3.0, 4.0)
    with pytest.raises(ParameterError, match="the item must be the label of one item, not 'elm'"):
        scores["elm"]
    with pytest.raises(ParameterError, match="the label of one item, not of several, not 'a'"):
        Scores([1, 2], labels=["a", "a"])["a"]
