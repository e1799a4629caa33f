"""What building adds to the package: the app, which stands beside `dpviz/` in a checkout and below it in a wheel.

`pyproject.toml` names the class; `dpviz/base/place.py` finds the files again, whichever of the two it is.
"""

from pathlib import Path

from setuptools.command.build_py import build_py

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
    *(f"tests/**/*.{kind}" for kind in ("py", "json", "txt")),
    "tests/run",
    "assets/deploy/*",
    ".github/*.md",
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
    return sorted(path.as_posix() for pattern in patterns for path in Path().glob(pattern) if path.is_file())


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
