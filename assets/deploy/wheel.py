"""What building adds to the package: the app, which stands beside `dpviz/` in a checkout and below
it in a wheel, and the links of the project, which follow from one address.

`pyproject.toml` names the classes; `dpviz/base/app_paths.py` finds the files again, whichever of the
two it is.
"""

import re
import tomllib
from pathlib import Path

from setuptools.command.build_py import build_py
from setuptools.command.egg_info import egg_info

APP = (
    "app.py",
    "pages/*.py",
    ".streamlit/config.toml",
    "assets/icon.svg",
    "assets/logo*.svg",
    "assets/deploy/nginx.conf",
)


DOCUMENTATION = (
    *(f"assets/docs/**/*.{kind}" for kind in ("md", "py", "css", "js")),
    "assets/explore.png",
    "CHANGELOG.md",
)


TESTS = (
    *(f"tests/**/*.{kind}" for kind in ("py", "json", "txt", "sql")),
    "tests/run",
    "assets/deploy/*",
    *(f".github/**/*.{kind}" for kind in ("md", "yml", "yaml")),
    "CITATION.cff",
)


def app_files() -> list[str]:
    """Every file of the app, from the top of the checkout."""
    return _matching(APP)


def documentation() -> list[str]:
    """What the site is made from: in a source distribution, not in a wheel."""
    return _matching(DOCUMENTATION)


def tests() -> list[str]:
    """What the tests are, and what they look at beside the package: in a source distribution alone."""
    return _matching(TESTS)


def _matching(patterns: tuple[str, ...]) -> list[str]:
    return sorted(
        path.as_posix() for pattern in patterns for path in Path().glob(pattern) if path.is_file()
    )


class WithTheApp(build_py):
    """The modules and their data, and the app's files in `dpviz/app`."""

    def run(self) -> None:
        """Copy them all; an editable installation finds the app where it is."""
        super().run()
        for source, target in self._below().items():
            self.mkpath(str(Path(target).parent))
            self.copy_file(source, target, preserve_mode=False)

    def get_source_files(self) -> list[str]:
        """What a source distribution must hold to build a wheel, the documentation, and the tests."""
        return [*super().get_source_files(), *app_files(), *documentation(), *tests()]

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        """What is in the wheel."""
        return [*super().get_outputs(include_bytecode), *self._below().values()]

    def _below(self) -> dict[str, str]:
        if self.editable_mode:
            return {}
        return {file: str(Path(self.build_lib, "dpviz", "app", file)) for file in app_files()}


def links(repository: str, version: str) -> dict[str, str]:
    """What an index shows beside the package; without an address, only what needs none."""
    given: dict[str, str] = settings()["links"]
    filled = {
        name: link.format(repository=repository, version=version) for name, link in given.items()
    }
    return {
        name: link
        for name, link in filled.items()
        if repository or "{repository}" not in given[name]
    }


def absolute(text: str, repository: str, version: str) -> str:
    """The README as an index shows it, away from the files that it names."""
    at = f"{repository}/blob/v{version}/"
    there = re.sub(r"\]\((?![a-z]+:|#)", f"]({at}", text) if repository else text
    return re.sub(rf"(!\[[^\]]*\]\(){re.escape(at)}", rf"\1{repository}/raw/v{version}/", there)


def settings() -> dict[str, object]:
    """`[tool.dpviz]` of pyproject.toml, which a build stands beside."""
    return tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["tool"]["dpviz"]


class WithLinks(egg_info):
    """The metadata, with the links, and a README whose links lead somewhere."""

    def finalize_options(self) -> None:
        """Put them where setuptools takes them from."""
        super().finalize_options()
        metadata, repository = self.distribution.metadata, str(settings()["repository"])
        metadata.project_urls = links(repository, metadata.version)
        metadata.long_description = absolute(
            metadata.long_description, repository, metadata.version
        )
