"""The documentation site, built once for all tests of a run, in a process of its own."""

import fcntl
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "assets" / "docs"


@dataclass(frozen=True)
class Site:
    """Where it is, how the build ended and what it complained of."""

    folder: Path
    code: int
    said: str

    @property
    def pages(self) -> list[Path]:
        """Every page."""
        return sorted(self.folder.rglob("*.html"))


def built(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The site, warnings taken for errors; workers of one run share it."""
    top = tmp_path_factory.getbasetemp()
    top = top.parent if "PYTEST_XDIST_WORKER" in os.environ else top
    folder, log = top / "site", top / "site.log"
    with (top / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not log.exists():
            options = ["-q", "-W", "--keep-going", "-d", str(top / "doctrees")]
            command = [sys.executable, "-m", "sphinx", *options, str(SOURCES), str(folder)]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            log.write_text(f"{done.returncode}\n{done.stdout}{done.stderr}", encoding="utf-8")
    code, _, said = log.read_text(encoding="utf-8").partition("\n")
    return Site(folder, int(code), said)
