"""Making a release from its decision sheet, once: the plan, the counts, the record, and the draw.

Read `release_making` first. `plan` is what a sheet says of a release, `sheet_file` reads it and
`agreement` looks for contradictions in it. `counts` has the file that a release is made from,
`release_record` keeps account of what was spent. `release_tools` knows what draws which mechanism:
exactly with whole numbers, with OpenDP, or with floating point.
"""

from dpviz.export.release.counts import NamedCounts, check_items, read_counts
from dpviz.export.release.plan import ReleasePlan, plan_of
from dpviz.export.release.refusal import Refusal
from dpviz.export.release.release_making import Release, check_review, make_release
from dpviz.export.release.release_record import Record
from dpviz.export.release.release_tools import Tool, tool_for
from dpviz.export.release.sheet_file import read_sheet

__all__ = [
    "NamedCounts",
    "Record",
    "Refusal",
    "Release",
    "ReleasePlan",
    "Tool",
    "check_items",
    "check_review",
    "make_release",
    "plan_of",
    "read_counts",
    "read_sheet",
    "tool_for",
]
