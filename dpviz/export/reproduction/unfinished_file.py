"""Results kept beside the report while it is made, so that the same command goes on from there.

Invariants: a torn line is cut off; only plain values and `KINDS` of the same version are read.
"""

import json
import os
from collections.abc import Hashable
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from dpviz import __version__
from dpviz.base import name_file_in_errors, write_atomically
from dpviz.export.reproduction.claims.claim import RecomputedValues
from dpviz.export.reproduction.topk import CurveResult
from dpviz.gaps import MeasurementExperiment, SimulatedEstimate
from dpviz.topk import FigureCurve

KINDS = {
    kind.__name__: kind
    for kind in (
        CurveResult,
        SimulatedEstimate,
        FigureCurve,
        RecomputedValues,
        MeasurementExperiment,
    )
}
_HEADER = json.dumps({"dpviz": __version__, "holds": "a reproduction that is not finished"}) + "\n"


class UnfinishedFile:
    def __init__(self, output: Path) -> None:
        self.path = output.with_name(f"{output.name}.unfinished")

    def read(self) -> dict[str, Any]:
        """Results by the text of their key; begins the file anew for another version."""
        content = self.path.read_bytes() if self.path.exists() else b""
        if not content.startswith(_HEADER.encode()):
            write_atomically(self.path, _HEADER.encode())
            return {}
        whole = content[: content.rfind(b"\n") + 1]
        if whole != content:
            os.truncate(self.path, len(whole))
        results: dict[str, Any] = {}
        for line in whole.decode("utf-8", "replace").split("\n")[1:-1]:
            try:
                row = json.loads(line, object_hook=decode_result)
                results[row["key"]] = row["result"]
            except (ValueError, KeyError, TypeError):  # not a line of ours: that job is done again
                continue
        return results

    def add(self, key: Hashable, result: Any) -> None:
        """Append one result, handed to the operating system on return."""
        row = {"key": repr(key), "result": result}
        line = json.dumps(row, ensure_ascii=False, default=encode_result)
        with name_file_in_errors(self.path), self.path.open("ab") as file:
            file.write(line.encode() + b"\n")


def encode_result(value: Any) -> dict[str, Any]:
    """An array, or one of `KINDS`, as JSON can hold it; raises `TypeError` for anything else."""
    if isinstance(value, np.ndarray):
        return {"array": value.tolist()}
    if type(value).__name__ not in KINDS:
        raise TypeError(type(value).__name__)
    return {type(value).__name__: {f.name: getattr(value, f.name) for f in fields(value)}}


def decode_result(json_object: dict[str, Any]) -> Any:
    """Give back what was encoded; other objects stay as they are."""
    if json_object.keys() == {"array"}:
        return np.array(json_object["array"])
    if len(json_object) == 1 and (name := next(iter(json_object))) in KINDS:
        return KINDS[name](**json_object[name])
    return json_object
