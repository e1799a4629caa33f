"""A notebook's class reaches the processes of a pool, or a sentence says what to do."""

import subprocess
import sys
import types
from dataclasses import replace
from pathlib import Path

import pytest

from dpviz import Canonical, Design, ParameterError, Scores, Sweep
from dpviz.studies import executors

ROOT = Path(__file__).resolve().parents[2]
VOTES = Scores([9, 14, 12, 2], monotonic=True)
(TASK,) = Sweep(scores={"votes": VOTES}, epsilons=[1.0], ks=[2], figures=["top"]).tasks
IN_A_NOTEBOOK = """
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from dpviz import *
@dataclass(frozen=True, kw_only=True)
class Halved(Canonical):
    def _score(self, x, h, t): return super()._score(x, h, t) / 2

votes = Scores([9, 14, 12, 2], monotonic=True)
sweep = Sweep(scores={"votes": votes}, designs=[Design(mechanism=Halved)], epsilons=[1.0], ks=[2], figures=["top"])
with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool: print(run_sweep(sweep, executor=pool)["value"][0])

"""


def test_a_class_of_a_notebook_is_there_in_spawned_processes() -> None:
    told = {"input": IN_A_NOTEBOOK, "capture_output": True, "text": True}
    done = subprocess.run([sys.executable, "-i", "-q"], cwd=ROOT, check=False, **told)
    expected = Canonical(epsilon=0.5, k=2).distribution(VOTES).top
    assert float(done.stdout) == pytest.approx(expected, rel=1e-12), done.stderr


def test_without_cloudpickle_one_sentence_says_what_to_do(
    menu: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Local(Canonical):
        """Which no process can import."""

    task = replace(TASK, design=Design(mechanism=Local), mechanism=Local(epsilon=1.0, k=2))
    function, packed = executors.picklable_call(task)
    assert function(packed) == task.rows()
    monkeypatch.setattr(executors, "find_spec", lambda name: None)
    monkeypatch.setitem(sys.modules, "__main__", types.ModuleType("__main__"))  # as in a notebook
    sentence = r"mechanism must be of a module that .* pip install cloudpickle, not"
    with pytest.raises(ParameterError, match=sentence):
        executors.picklable_call(task)
