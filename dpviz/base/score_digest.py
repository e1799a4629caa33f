"""The hash by which files and stored results know scores."""

import hashlib
from typing import Any

import numpy as np


def digest_scores(scores: Any) -> str:
    """SHA-256 of values, labels and what one person can change, as hexadecimal text."""
    content = hashlib.sha256()
    header = f"{scores.d} {scores.sensitivity!r} {scores.monotonic}"
    # at their defaults later fields leave the digest as it was without them
    if scores.sensitivities is not None:
        parts = np.asarray(scores.sensitivities).tolist()
        header = f"scores-4 {header} {scores.contributions} {scores.names_known} {parts} "
    elif not scores.names_known:
        header = f"scores-3 {header} {scores.contributions} names unknown "
    elif scores.contributions is None:
        header = f"scores-1 {header} "
    else:
        header = f"scores-2 {header} {scores.contributions} "
    content.update(header.encode())
    content.update((scores.values + 0.0).astype("<f8").tobytes())  # + 0.0: minus zero is zero
    for label in scores.labels or ():
        text = label.encode("utf-8", "surrogatepass")
        content.update(f"{len(text)}:".encode() + text)
    return content.hexdigest()
