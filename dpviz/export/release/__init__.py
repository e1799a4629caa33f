"""Making a release from its decision sheet, once: the plan, the counts, the record, and the draw.

Read `release_making` first. `plan` is what a sheet says of a release, `sheet_file` reads it and
`agreement` looks for contradictions in it. `counts` has the file that a release is made from,
`release_record` keeps account of what was spent. `release_tools` knows what draws which mechanism:
exactly with whole numbers, with OpenDP, or with floating point.
"""

from dpviz.export.release.counts import NamedCounts, check_items, read_counts
from dpviz.export.release.plan import ReleasePlan, build_release_plan
from dpviz.export.release.refusal import Refusal
from dpviz.export.release.release_making import Release, check_review, make_release
from dpviz.export.release.release_record import ReleaseRecord
from dpviz.export.release.release_tools import ReleaseTool, select_tool
from dpviz.export.release.sheet_file import read_sheet

__all__ = [
    "NamedCounts",
    "Refusal",
    "Release",
    "ReleasePlan",
    "ReleaseRecord",
    "ReleaseTool",
    "build_release_plan",
    "check_items",
    "check_review",
    "make_release",
    "read_counts",
    "read_sheet",
    "select_tool",
]
