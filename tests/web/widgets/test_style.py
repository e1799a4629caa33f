"""Style sheets and scripts are files that an installed dpviz has too."""

import tomllib
from fnmatch import fnmatch
from pathlib import Path

from dpviz.web.server.static_files import read_asset

ROOT = Path(__file__).resolve().parents[3]


def test_every_file_beside_the_modules_is_package_data() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "setuptools"
    ]["package-data"]
    others = [
        p.relative_to(ROOT)
        for p in (ROOT / "dpviz").rglob("*")
        if p.suffix not in {".py", ".pyc", ""}
    ]
    assert {path.name for path in others} >= {"app.css", "presenter.css", "heatmap_click.js"}
    for path in others:
        assert any(_goes_along(path, folder, told) for folder in path.parents), path


def _goes_along(path: Path, folder: Path, told: dict[str, list[str]]) -> bool:
    """Whether the package in this folder takes the file along; a `*` stands for no folder."""
    inside = path.relative_to(folder).as_posix()
    patterns = [
        *told.get(".".join(folder.parts), []),
        *(told["*"] if (ROOT / folder / "__init__.py").exists() else []),
    ]
    return any(fnmatch(inside, one) and one.count("/") == inside.count("/") for one in patterns)


def test_a_style_sheet_is_read_whole() -> None:
    assert read_asset("app.css") == (ROOT / "dpviz" / "web" / "static" / "app.css").read_text(
        encoding="utf-8"
    )
    assert read_asset("app.css").count("{") == read_asset("app.css").count("}")
