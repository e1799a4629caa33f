"""The record of the releases made from a sheet: a line a release, written before the draw.

A release broken off after its line counts as made: it may have been seen.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dpviz import __version__
from dpviz.base import append_durably, is_broken_link, lock_file
from dpviz.charts import count_text
from dpviz.export.release.plan import ReleasePlan
from dpviz.export.release.refusal import Refusal


@dataclass(frozen=True)
class ReleaseRecord:
    path: Path
    plan: ReleasePlan

    @classmethod
    def from_sheet(cls, sheet: Path, plan: ReleasePlan) -> "ReleaseRecord":
        """The record in the folder of the sheet; copies of the sheet share its name."""
        return cls(sheet.with_name(f"release-record-{plan.digest[:12]}.jsonl"), plan)

    def check_next_number(self, number: int) -> None:
        """Refuse unless the release of this number comes next."""
        if number > self.plan.releases:
            raise Refusal(
                f"The plan on the sheet is {count_text(self.plan.releases, 'release')}: there is no"
                f" release {number:,}."
            )
        if is_broken_link(self.path):
            raise Refusal(
                f"{self.path} is a link that leads to no file: what was released may be recorded"
                " elsewhere."
            )
        if self.path.exists() and not self.path.is_file():
            raise Refusal(f"{self.path} is no file that a record can be kept in.")
        self._check(number, self.path.read_bytes() if self.path.exists() else b"")

    def add_release(self, number: int, **said: Any) -> None:
        """Add a release; raises `Refusal`, and writes nothing, if it is made already."""
        with lock_file(self.path) as file:
            self._check(number, file.read())
            line = {
                "dpviz": "release",
                "version": 1,
                "release": number,
                "of": self.plan.releases,
                "time": datetime.now(UTC).isoformat(timespec="seconds"),
                "epsilon": self.plan.epsilon,
                "plan": self.plan.digest,
                "decision": self.plan.decision,
                "made_with": f"dpviz {__version__}",
                **said,
            }
            append_durably(file, (json.dumps(line, ensure_ascii=False) + "\n").encode())

    def _check(self, number: int, content: bytes) -> None:
        made, of = self._made(content), self.plan.releases
        if made >= of:
            raise Refusal(
                f"All releases of the plan have been made: {of:,} of {of:,}. Another needs another"
                f" decision. {self.path} has the record."
            )
        if number <= made:
            raise Refusal(
                f"Release {number:,} of {of:,} has been made: its ε is spent, and a second list"
                " would spend it again. If this is another release of the plan, say --number"
                f" {made + 1}. {self.path} has the record."
            )
        if number > made + 1:
            raise Refusal(
                f"Release {made + 1:,} of {of:,} comes next, not {number:,}. {self.path} has the"
                " record."
            )

    def _made(self, content: bytes) -> int:
        """The number of releases in the file; anything else in it is refused."""
        lines = content.split(b"\n")
        if lines.pop():
            raise Refusal(
                f"The last line of {self.path} is cut off, so it cannot be known what was released."
            )
        for number, line in enumerate(lines, 1):
            entry = _parsed(line)
            if entry.get("dpviz") != "release" or entry.get("release") != number:
                raise Refusal(f"Line {number} of {self.path} is not a line of a release record.")
            if entry.get("plan") != self.plan.digest:
                raise Refusal(
                    f"{self.path} is the record of another plan than the one on this sheet."
                )
        return len(lines)


def _parsed(line: bytes) -> Mapping[str, Any]:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return entry if isinstance(entry, dict) else {}
