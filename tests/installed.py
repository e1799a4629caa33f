"""A built and installed dpviz in an environment that sees the other packages by a .pth file."""

import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NOT_SOURCES = (
    *(".git", ".venv*", ".*_cache", ".hypothesis", "__pycache__", "*.egg-info"),
    *("build", "dist", ".artifacts"),
)


@dataclass(frozen=True)
class Installed:
    """An environment, its packages, and the files there when dpviz alone was installed."""

    home: Path
    packages: Path
    top: frozenset[str]
    source: frozenset[str]  # what the sdist holds

    @property
    def python(self) -> Path:
        return self.home / "bin" / "python"

    @property
    def dpviz(self) -> Path:
        return self.home / "bin" / "dpviz"


def install(folder: Path) -> Installed:
    """Build the sdist of the sources, the wheel of the sdist, and install that."""
    shutil.copytree(ROOT, folder / "sources", ignore=shutil.ignore_patterns(*NOT_SOURCES))
    sdist = built("sdist", folder / "sources", folder)
    with tarfile.open(sdist) as packed:
        packed.extractall(folder, filter="data")
    unpacked = folder / sdist.name.removesuffix(".tar.gz")
    held = frozenset(
        path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()
    )
    wheel = built("wheel", unpacked, folder)
    home = folder / "environment"
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check"]
    order = ["--python", str(python), "install", "--no-index", "--no-deps", str(wheel)]
    subprocess.run([*pip, *order], check=True)
    packages = home / Path(sysconfig.get_path("purelib")).relative_to(sys.prefix)
    top = frozenset(path.name for path in packages.iterdir())
    ours = sysconfig.get_path("purelib")
    (packages / "environment.pth").write_text(f"{ours}\n", encoding="utf-8")
    return Installed(home, packages, top, held)


def built(kind: str, sources: Path, out: Path) -> Path:
    code = f"from setuptools import build_meta; print(build_meta.build_{kind}({str(out)!r}))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=sources, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return out / done.stdout.split()[-1]
