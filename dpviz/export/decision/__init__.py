"""Files of a decision on ε: the sheet as HTML and as JSON, and the code of the release."""

from dpviz.export.decision.record import decision_json, decision_record
from dpviz.export.decision.release_code import ReleaseCode, release_code
from dpviz.export.decision.sheet import decision_sheet

__all__ = ["ReleaseCode", "decision_json", "decision_record", "decision_sheet", "release_code"]
