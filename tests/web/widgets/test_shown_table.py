"""A table that would weigh on the page is shown by its first rows, which is said."""

from importlib import import_module

import numpy as np
import pandas as pd
import pytest

show = import_module("dpviz.web.widgets.show")  # of which the package has the function of this name


@pytest.mark.parametrize(
    ("rows", "told"), [(20, []), (21, ["The first 20 of 21 rows; the file has all of them."])]
)
def test_first_rows(rows: int, told: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[int] = []
    said: list[str] = []
    monkeypatch.setattr(show, "_SHOWN", 60)
    monkeypatch.setattr(show.st, "dataframe", lambda table, **_: shown.append(len(table)))
    monkeypatch.setattr(show, "paragraph", lambda text, kind: said.append(text))
    show._show_table(pd.DataFrame(np.zeros((rows, 3))))
    assert shown == [20]
    assert said == told
