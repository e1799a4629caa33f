"""Making a release from its decision sheet, once; read `release_making` first."""

from dpviz.export.release.counts import NamedCounts, check_names_match_list, read_counts
from dpviz.export.release.plan import ReleasePlan, build_release_plan, decision_digest
from dpviz.export.release.refusal import Refusal
from dpviz.export.release.release_making import Release, check_review_date, make_release
from dpviz.export.release.release_record import ReleaseRecord
from dpviz.export.release.release_tools import ReleaseTool, select_tool
from dpviz.export.release.sheet_file import read_sheet
from dpviz.export.release.wheel import WHEEL_NAME, build_wheel

__all__ = [
    "WHEEL_NAME",
    "NamedCounts",
    "Refusal",
    "Release",
    "ReleasePlan",
    "ReleaseRecord",
    "ReleaseTool",
    "build_release_plan",
    "build_wheel",
    "check_names_match_list",
    "check_review_date",
    "decision_digest",
    "make_release",
    "read_counts",
    "read_sheet",
    "select_tool",
]
