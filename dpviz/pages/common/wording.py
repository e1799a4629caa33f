"""Wording that page views share: titles, numbers, and tables in words."""

import math

import pandas as pd

from dpviz.charts import number_text, shorten_text
from dpviz.studies import Scenario, data_name

NOTHING = "no item and no score"
_NOT_PRIVATE = "Its figures are computed from the raw data and are not private."
_NAME = 60  # characters
_MOST = 60  # rows of a table


def takeaway_title(scenario: Scenario, figure_title: str) -> str:
    return f"{scenario.name or data_name(scenario.data)}: {figure_title}"


def format_slider_value(value: float) -> str:
    """Value of a slider.

    >>> format_slider_value(0.12345), format_slider_value(2.0)
    ('0.12345', '2')
    """
    return f"{value:.6g}"


def format_three_digits(value: float) -> str:
    """Three significant digits.

    >>> format_three_digits(12.345), format_three_digits(math.inf)
    ('12.3', '∞')
    """
    return (
        number_text(float(f"{float(value):.3g}"))
        if math.isfinite(value)
        else "∞"
        if value > 0
        else "none"
    )


def format_two_decimals(value: float) -> str:
    """Two decimal places; three significant digits below 1.

    >>> format_two_decimals(12.3456), format_two_decimals(0.123456)
    ('12.35', '0.123')
    """
    return number_text(round(value, 2)) if value >= 1 else format_three_digits(value)


def format_four_digits(value: float) -> str:
    """Four significant digits.

    >>> format_four_digits(12.3456), format_four_digits(123456.0)
    ('12.35', '123,500')
    """
    return number_text(float(f"{float(value):.4g}"))


def disclosure_sentence(scenario: Scenario, contents: str) -> str:
    """Sentence on data in a file with these `contents`."""
    return (
        f"The data are {'made up' if scenario.data.source == 'example' else 'generated'}."
        if scenario.data.source != "uploaded"
        else f"The file contains {contents}. {_NOT_PRIVATE}"
    )


def table_as_text(table: pd.DataFrame, row_limit: int = _MOST) -> pd.DataFrame:
    """First rows of a chart's table in words; a last one counts the rest.

    >>> table = pd.DataFrame({"item": ["a", "b", "c"], "chance": [0.123456, 2.0, float("nan")]})
    >>> table_as_text(table, 2).values.tolist()
    [['a', '0.1235'], ['b', '2'], ['and 1 more', '']]
    """
    words = [
        [_word(cell) for cell in row]
        for row in table.head(row_limit).itertuples(index=False, name=None)
    ]
    left = len(table) - row_limit
    if left > 0:
        words.append([f"and {left:,} more", *[""] * (table.shape[1] - 1)])
    return pd.DataFrame(words, columns=table.columns)


def _word(cell: object) -> str:
    if isinstance(cell, str):
        return shorten_text(cell, _NAME)
    if isinstance(cell, float):
        return (
            ""
            if math.isnan(cell)
            else format_three_digits(cell)
            if math.isinf(cell)
            else number_text(cell)
        )
    return f"{cell:,}" if isinstance(cell, int) else "" if cell is None else str(cell)
