"""Questions in Moodle's XML format: a category for each sheet, its questions numerical."""

from collections.abc import Sequence

from dpviz.base import render_template
from dpviz.teaching.homework import HomeworkSheet


def moodle_questions(title: str, sheets: Sequence[HomeworkSheet]) -> str:
    return str(
        render_template("dpviz.export", "moodle.xml", title=_part(title), sheets=sheets, part=_part)
    )


def _part(name: str) -> str:
    """Part of a category's path, in which a slash stands twice."""
    return name.replace("/", "//")
