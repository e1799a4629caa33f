"""Each page of `howto` as a notebook to take along: its prose as text, its examples as cells
without what they gave.
"""

import doctest
import json
import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

__all__ = ["notebook", "setup"]

_FOLDER = "howto/"
_CODE = re.compile(r"^```python\n(.*?)^```\n?", re.DOTALL | re.MULTILINE)


def notebook(page: str) -> dict[str, Any]:
    """A page of Markdown as a Jupyter notebook (nbformat 4.5).

    Parameters
    ----------
    page
        The page; its blocks of Python are doctest examples.

    Returns
    -------
    dict[str, Any]
        What the file holds, to be written as JSON.
    """
    pieces = re.split(_CODE, page)  # prose and code by turns
    cells = [
        _cell(number, piece, code=number % 2 == 1)
        for number, piece in enumerate(pieces)
        if piece.strip()
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def _cell(number: int, piece: str, code: bool) -> dict[str, Any]:
    cell: dict[str, Any] = {"id": f"cell-{number}", "metadata": {}}
    if not code:
        return cell | {"cell_type": "markdown", "source": piece.strip()}
    source = "".join(example.source for example in doctest.DocTestParser().get_examples(piece))
    return cell | {
        "cell_type": "code",
        "execution_count": None,
        "outputs": [],
        "source": source.rstrip(),
    }


def _linked(app: Sphinx, name: str, template: str, context: dict[str, Any], tree: object) -> None:
    if name.startswith(_FOLDER) and name != f"{_FOLDER}index":
        file = f"{name.removeprefix(_FOLDER)}.ipynb"
        context["body"] += f'<p><a href="{file}" download>This page as a notebook</a></p>'


def _written(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.name == "html":
        for page in sorted(Path(app.srcdir, _FOLDER).glob("*.md")):
            if page.stem != "index":
                text = json.dumps(
                    notebook(page.read_text(encoding="utf-8")), ensure_ascii=False, indent=1
                )
                Path(app.outdir, _FOLDER, f"{page.stem}.ipynb").write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Write them beside the pages, which link to them."""
    app.connect("html-page-context", _linked)
    app.connect("build-finished", _written)
