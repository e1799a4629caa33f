"""A figure to take away read back from its file, by another way than the browser's."""

import base64
import gzip
import json
import re
from typing import Any

import numpy as np

from dpviz.base.arrays import Floats

BACK = str.maketrans(",.:", "<>&")


def unpacked(element: str) -> str:
    """What the browser makes of a packed element."""
    told = re.fullmatch(
        r'<script type="text/plain" id="\w+" data-size="(\d+)">(.*)</script>', element
    )
    assert told is not None
    assert not set(told[2]) & set("<>&\"'\\ \n")
    return gzip.decompress(base64.b85decode(told[2].translate(BACK))[: int(told[1])]).decode()


def whole(value: Any, pool: list[Any]) -> Any:
    """With every part that stands once put where it belongs."""
    if isinstance(value, list):
        return [whole(one, pool) for one in value]
    if isinstance(value, dict):
        return (
            whole(pool[value["$"]], pool)
            if "$" in value
            else {name: whole(one, pool) for name, one in value.items()}
        )
    return value


def content_of(page: str) -> Any:
    element = re.search(r'<script type="text/plain" id="content".*?</script>', page)
    assert element is not None
    told = json.loads(unpacked(element[0]))
    return whole(told["content"], told["pool"])


def numbers(axis: Any) -> Floats:
    if isinstance(axis, dict):
        return np.frombuffer(base64.b64decode(axis["bdata"]), axis["dtype"]).astype(float)
    return np.array(axis, float)
