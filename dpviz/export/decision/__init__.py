"""What leaves the house when an ε has been decided: the sheet as HTML and as JSON, and the code of
the release.

`sheet` writes the page (read it first) from `dpviz.pages.decide.sentences`, where every figure gets
its sentence, and from `drawings`; `record` has the same as JSON, which `schema.json` documents;
`release_code` writes the script that makes the release.
"""

from dpviz.export.decision.record import decision_json, decision_record
from dpviz.export.decision.release_code import ReleaseCode, release_code
from dpviz.export.decision.sheet import decision_sheet

__all__ = ["ReleaseCode", "decision_json", "decision_record", "decision_sheet", "release_code"]
