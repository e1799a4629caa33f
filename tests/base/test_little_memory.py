"""Work without enough memory (`ulimit -v`) gives a sentence, and its parent goes on."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ASKS = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (1_000_000_000,) * 2)
from dpviz.base.limited_process import LimitedProcess, Limits
from dpviz.base.errors import WorkLost
from dpviz.base.progress import ignore_progress
from tests.base.works import Steps
worker = LimitedProcess(Steps(), Limits(5_000_000_000, 60.0))
print(worker.compute_step("where", ignore_progress, {}) > 0)
try:
    worker.compute_step("hungry", ignore_progress, {})
except WorkLost as err:
    print(err)
print(LimitedProcess(Steps(), Limits(500_000_000, 60.0)).compute_step("sum", ignore_progress, {"where": 2}))
"""


def test_work_without_memory_gives_a_sentence() -> None:
    """The limit goes to what a process starts; a gigabyte on top of Python is more than it."""
    asked = subprocess.run(
        [sys.executable, "-c", ASKS],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    there, told, after = asked.stdout.splitlines()
    assert (there, after) == ("True", "3")
    assert "MB of memory, which is the limit" in told
