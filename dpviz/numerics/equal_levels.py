"""Runs of equal entries: thousands of items that share a level are evaluated once."""

import numpy as np

from dpviz.base import Bools, Floats, Ints, Noise


def group_equal_levels(level: Floats, cuts: Ints | None = None) -> tuple[Ints, Floats, Floats]:
    """(start, level, count) of the runs of equal entries, cut at the positions `cuts` too."""
    n = len(level)
    begins = np.append(True, level[1:] != level[:-1]) if n else np.empty(0, bool)
    if cuts is not None:
        begins[cuts[(cuts > 0) & (cuts < n)]] = True
    start = np.flatnonzero(begins)
    return start, level[start], np.diff(np.append(start, n)).astype(float)


def near_kinks(noise: Noise, level: Floats, low: float, high: float) -> Bools:
    """True where a kink of the noise at this level lies between low and high."""
    places = level + np.array(noise.kinks)[:, None]
    return np.asarray(((places >= low) & (places <= high)).any(0))
