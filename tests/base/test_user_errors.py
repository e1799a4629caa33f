"""A user's own code that raises while it runs: one sentence names it, here and in processes."""

import os
import pickle
from pathlib import Path
from typing import Any

import pytest

from dpviz import Design, ParameterError, Question, Scores, decide
from dpviz.__main__ import main
from dpviz.base import WITH, register_environment_module
from dpviz.studies import DataSpec
from dpviz.topk import TOP_K, TopKMechanism

OWN = """
from dataclasses import dataclass
from dpviz import FromSampler, TopKMechanism

def worn(*of):
    return 1 / 0

class Score(TopKMechanism):
    def class_score(self, x, h, t):
        return worn(x, h, t)

class Sampler(TopKMechanism):
    def sampler(self, scores, progress):
        return worn()

class Draw(TopKMechanism):
    def sampler(self, scores, progress):
        def draw(size, rng):
            return worn()
        return draw

class Law(TopKMechanism):
    def distribution(self, scores, **more):
        return worn()

def drawn(scores, size, rng, epsilon, k):
    return worn()

Function = FromSampler(drawn, epsilon=1.0, k=2)
"""
CALLED = {
    "Score": "Score.class_score",
    "Sampler": "Sampler.sampler",
    "Draw": "Draw.sampler.draw",
    "Law": "Law.distribution",
    "Function": "drawn",
}


@pytest.fixture
def brought(menu: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "worn_out.py"
    path.write_text(OWN, encoding="utf-8")
    monkeypatch.setitem(os.environ, WITH, str(path))
    register_environment_module(TOP_K, TopKMechanism)


@pytest.mark.parametrize("name", CALLED)
def test_one_sentence_names_the_class_and_the_error(
    name: str, brought: None, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence = f"{CALLED[name]} raised ZeroDivisionError (division by zero) in line "
    design = Design(mechanism=name)
    question = Question(k=2, data=DataSpec(name="class_trip"), designs=(design,))
    runs: list[Any] = [
        lambda: decide(question),
        lambda: design.build(1.0, 2).distribution(Scores([3.0, 2.0, 1.0])).inclusion,
    ]
    for run in runs:
        with pytest.raises(ParameterError) as told:
            run()
        assert str(told.value).startswith(sentence)
        assert isinstance(told.value.__cause__, ZeroDivisionError)
        assert str(pickle.loads(pickle.dumps(told.value))) == str(told.value)
    for command in ("distribution", "decide", "compare"):
        assert main([command, "--example", "class_trip", "-m", name, "-k", "2", "-q"]) == 2
        said = capsys.readouterr().err
        assert said.startswith(f"dpviz: {sentence}")
        assert said.count("\n") == 1
