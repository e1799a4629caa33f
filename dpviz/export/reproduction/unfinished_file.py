"""Results kept beside the report while it is made, so that the same command goes on from there.

A first line names the version, each other one has a job's key and its result as JSON. Invariants: a
line torn by a kill is cut off; only plain values and `KINDS` are read; another version's are not.
"""

import json
import os
from collections.abc import Hashable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dpviz import __version__
from dpviz.base import name_file_in_errors, write_atomically
from dpviz.export.reproduction.claims.claim import Finding
from dpviz.export.reproduction.topk import CurveResult
from dpviz.export.reproduction.zipf import ExponentSweep
from dpviz.gaps import MeasurementExperiment, SimulatedEstimate
from dpviz.topk import FigureCurve

KINDS = {
    kind.__name__: kind
    for kind in (
        CurveResult,
        SimulatedEstimate,
        FigureCurve,
        Finding,
        MeasurementExperiment,
        ExponentSweep,
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
                row = json.loads(line)
                results[row["key"]] = decode_result(row["result"])
            except (ValueError, KeyError, TypeError):  # not a line of ours: that job is done again
                continue
        return results

    def add(self, key: Hashable, result: Any) -> None:
        """Append one result, handed to the operating system on return."""
        line = json.dumps({"key": repr(key), "result": encode_result(result)}, ensure_ascii=False)
        with name_file_in_errors(self.path), self.path.open("ab") as file:
            file.write(line.encode() + b"\n")


def encode_result(value: Any) -> Any:
    """The value as JSON can hold it.

    >>> encode_result((1.5, {"a": "b"}))
    {'tuple': [1.5, {'map': [['a', 'b']]}]}
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.ndarray):
        return {"array": value.tolist(), "of": str(value.dtype)}
    if isinstance(value, tuple):
        return {"tuple": [encode_result(one) for one in value]}
    if isinstance(value, dict):
        return {"map": [[encode_result(name), encode_result(one)] for name, one in value.items()]}
    if is_dataclass(value) and type(value).__name__ in KINDS:
        inside = {f.name: encode_result(getattr(value, f.name)) for f in fields(value)}
        return {type(value).__name__: inside}
    raise TypeError(type(value).__name__)


def decode_result(given: Any) -> Any:
    """Give back what was encoded; raises `ValueError`, `KeyError` or `TypeError` for other values.

    >>> decode_result(encode_result((1.5, {("a", 2): "b"})))
    (1.5, {('a', 2): 'b'})
    """
    if not isinstance(given, dict):
        return given
    if "array" in given:
        return np.array(given["array"], dtype=np.dtype(given["of"]))
    if "tuple" in given:
        return tuple(decode_result(one) for one in given["tuple"])
    if "map" in given:
        return {decode_result(name): decode_result(one) for name, one in given["map"]}
    ((name, inside),) = given.items()
    return KINDS[name](**{field: decode_result(one) for field, one in inside.items()})
