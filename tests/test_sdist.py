"""The source distribution brings its tests along, with all that they look at."""

import shutil
import tarfile
from pathlib import Path

from tests.installed import NOT_SOURCES, ROOT, built


def test_the_sdist_holds_every_file_of_the_tests(tmp_path: Path) -> None:
    sources = tmp_path / "sources"
    shutil.copytree(ROOT, sources, ignore=shutil.ignore_patterns(*NOT_SOURCES))
    here = {path.relative_to(sources).as_posix() for path in sources.rglob("*") if path.is_file()}
    with tarfile.open(built("sdist", sources, tmp_path)) as packed:
        held = {member.name.partition("/")[2]: member.mode for member in packed if member.isfile()}
    not_needed = {".gitignore", ".ci/run"}
    assert here - held.keys() <= not_needed
    assert len([name for name in held if name.startswith("tests/")]) > 350
    assert held["tests/run"] & 0o111
