"""The screen Start as markup, in the app and as one file that needs neither it nor a network.

Invariants: what stands at rest is in the markup, to be read before any script; nothing is fetched.
"""

import json
from collections.abc import Iterable
from functools import cache

from dpviz import __version__
from dpviz.base import Markup
from dpviz.export.document import render_document, render_fragment
from dpviz.pages.start import view as words
from dpviz.pages.start.view import Scene
from dpviz.studies import Pair

_WIDEST = 78.0  # of the bars, in hundredths of their part of the picture
# of a bar among the top, of as many below them, and of the rest, against each other
_HEIGHTS = (4.0, 2.2, 0.7)
_FILLED = 0.74  # of a bar's place


@cache
def scene_markup(scene: Scene) -> Markup:
    bars = _bars(scene)
    across = [100 * n / (len(scene.places) - 1) for n in range(len(scene.places))]
    right = [100 * (1 - place.right / scene.k) for place in scene.places]
    guess = [100 * (1 - place.guess) for place in scene.places]
    return render_fragment(
        "scene",
        scene=scene,
        words=words,
        bars=bars,
        cut=(bars[scene.best - 1][0] + bars[scene.best - 1][1] + bars[scene.best][0]) / 2,
        curves={
            "right": list(zip(across, right, strict=True)),
            "guess": list(zip(across, guess, strict=True)),
        },
    )


def _bars(scene: Scene) -> list[tuple[float, float, float]]:
    """(top, height, width) of each item's bar; those near the cut stand apart."""
    heights = [_HEIGHTS[min(rank // scene.best, 2)] for rank in range(len(scene.scores))]
    scale, y, bars = 100 / sum(heights), 0.0, []
    for height, score in zip(heights, scene.scores, strict=True):
        place = scale * height
        bars.append(
            (y + place * (1 - _FILLED) / 2, place * _FILLED, _WIDEST * score / scene.scores[0])
        )
        y += place
    return bars


def render_start_file(scene: Scene, about: Iterable[Pair] = ()) -> str:
    return render_document(
        "start",
        title=words.TITLE,
        scene=scene,
        shown=scene_markup(scene),
        note=words.NOTE,
        about=[*about, ("Made with", f"dpviz {__version__}")],
        data=json.dumps(scene.browser_data(), separators=(",", ":"), allow_nan=False).replace(
            "<", "\\u003c"
        ),
    )
