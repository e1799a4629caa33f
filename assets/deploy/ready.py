"""`python assets/deploy/ready.py v1.0.0`, from the top: whether the sources are what a tag of that
name says.

The workflow that publishes asks it first. It says all that is missing, one sentence a line, and
ends with code 1.
"""

import re
import sys
import tomllib
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def missing(tag: str, root: Path = ROOT) -> list[str]:
    """What stands in the way of a release under this tag."""
    version = _said(root / "dpviz" / "__init__.py", r'^__version__ = "(.+)"$')
    cited = _said(root / "CITATION.cff", r"^version: (.+)$")
    released = _said(root / "CITATION.cff", r"^date-released: (.+)$")
    changes = _said(root / "CHANGELOG.md", rf"^## {re.escape(version)} - (.+)$")
    unreleased = _said(root / "CHANGELOG.md", r"^## Unreleased\n((?:(?!## ).*\n)*)").strip()
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    found = {
        f"The tag is {tag}, and the version {version} (dpviz/__init__.py).": tag != f"v{version}",
        f"CITATION.cff says version {cited}.": cited != version,
        f"CHANGELOG.md has no part '## {version} - YYYY-MM-DD'.": not _is_date(changes),
        f"CITATION.cff says that it was released on {released}, CHANGELOG.md on {changes}.": (
            released != changes
        ),
        "CHANGELOG.md has changes under Unreleased.": bool(unreleased),
        "pyproject.toml does not say where the project lives: repository in [tool.dpviz].": (
            not re.fullmatch(r"https://\S+[^/]", project["tool"]["dpviz"]["repository"])
        ),
    }
    return [sentence for sentence, holds in found.items() if holds]


def _said(file: Path, pattern: str) -> str:
    found = re.search(pattern, file.read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else ""


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


if __name__ == "__main__":
    found = missing(*sys.argv[1:2])
    sys.stderr.write("".join(f"{sentence}\n" for sentence in found))
    sys.exit(bool(found))
