"""One name for one idea: what people read on the pages has no second word for what the glossary
names.

Read are every page's text, labels, helps and options as Streamlit is given them, and all texts of
its charts.
"""

import html
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.base.glossary import GLOSSARY
from dpviz.pages.candidates.settings import VIEWS
from tests.prose import RULES, Text, reading_grade
from tests.web.screens.shown import figures, settled

OpenPage = Callable[..., AppTest]
EVERYWHERE = {
    r"probabilit(y|ies)": "chance",
    r"cutoffs?|cut off|threshold rank": "cut-off",
    r"likelihoods?": "chance",
    r"tie-?break\w*": "a tie is settled",
    r"slack": "leeway",
}
# where nothing is tried many times; a gap is noisy and published, and mechanisms are called with it
RELEASES = EVERYWHERE | {r"(?<!simulated )\bruns?": "release", r"draws?": "release"}
TRIP = {"data": "example:class_trip", "k": "2"}
DISTANCES = RELEASES | {r"(?<!with )(?<!free )gaps?": "distance"}
PAGES: dict[str, tuple[str, dict[str, str], dict[str, str]]] = {
    "explore": (
        "explore",
        {"page.draws": "100", "page.measure": "loss"},
        {word: better for word, better in DISTANCES.items() if word != "draws?"},
    ),
    "neighbours": ("neighbours", {}, DISTANCES),
    "compare": ("compare", TRIP | {"page.bounds": "true"}, DISTANCES),
    "margin": ("margin", {}, DISTANCES),
    "gaps": ("gaps", {}, RELEASES),
    "sparse vector": (
        "gaps",
        TRIP | {"page.gaps.half": "sparse_vector", "page.gaps.run": "true"},
        RELEASES,
    ),
    "deployments": ("deployments", {"entry": "flex-uber-2018"}, RELEASES),
    **{
        f"decide, {step}": ("decide", {"page.decide.screen": step}, DISTANCES)
        for step in ("published", "protected", "good", "data", "allowed", "answer")
    },
    **{f"candidates, {view}": ("candidates", {"page.pc.view": view}, EVERYWHERE) for view in VIEWS},
}
_NO_WORDS = {"key", "id", "form_id", "bdata", "dtype", "url", "format", "color", "icon", "config"}


def texts(held: Any) -> Iterator[str]:
    """Every string in a message or a figure that is not a name for the code."""
    if isinstance(held, str):
        yield held
    elif isinstance(held, dict):
        for name, value in held.items():
            if name not in _NO_WORDS and not name.startswith(("js", "css")):  # of components
                yield from texts(value)
    elif isinstance(held, list | tuple):
        for value in held:
            yield from texts(value)


def message(proto: Any) -> dict[str, Any]:
    """A message of Streamlit's as nested dictionaries and lists of its strings."""
    found: dict[str, Any] = {}
    for field, value in proto.ListFields():
        if field.type == field.TYPE_MESSAGE:
            several = not hasattr(value, "ListFields")
            found[field.name] = (
                [message(one) for one in value]
                if several and not hasattr(value, "keys")
                else ({} if several else message(value))
            )
        elif field.type == field.TYPE_STRING:
            found[field.name] = [*value] if not isinstance(value, str) else value
    return found


def written(app: AppTest) -> Iterator[str]:
    """What stands on the page, without tags, addresses and code."""
    for element in [*app.main, *app.sidebar]:
        yield from _of(element)


def _of(element: Any) -> Iterator[str]:
    children = getattr(element, "children", None)
    proto = getattr(element, "proto", None)
    if proto is not None and hasattr(proto, "ListFields"):
        told = message(proto)
        if "spec" in told:
            told["spec"] = _figure(json.loads(told["spec"]))
        for text in texts(told):
            yield _plain(text)
    if children:
        for child in children.values():
            yield from _of(child)


def _figure(spec: dict[str, Any]) -> dict[str, Any]:
    """A figure's own texts: titles, names, annotations and what is told on hover."""
    layout = spec["layout"]
    axes = {
        name: axis.get("title")
        for name, axis in layout.items()
        if name.startswith(("xaxis", "yaxis"))
    }
    kept = ("name", "text", "hovertemplate", "hovertext", "customdata")
    return {
        "axes": axes,
        "annotations": [note.get("text", "") for note in layout.get("annotations", ())],
        "traces": [{name: trace[name] for name in kept if name in trace} for trace in spec["data"]],
    }


def _plain(text: str) -> str:
    text = html.unescape(re.sub(r"(?s)<style.*?</style>|<code>.*?</code>|<[^>]+>", " ", text))
    text = re.sub(r"\S+=\S*&\S*", " ", text)  # an address
    return html.unescape(re.sub(r"%\{[^}]*\}", " ", text))


@pytest.mark.parametrize("name", PAGES)
def test_one_word_for_one_idea_bars_start_at_zero_and_charts_have_words(
    open_page: OpenPage, name: str
) -> None:
    page, query, banned = PAGES[name]
    app = settled(open_page(page, state={"by_k_fold": True}, **query))
    bars_start_at_zero(app)
    assert all(chart.proto.alt for chart in app.get("plotly_chart"))
    if page == "candidates":
        assert figures(app)
        assert not app.error
    found = list(written(app))
    assert len(found) > 40, "the walk sees the page"
    wrong = [
        (rf"{match[0]} → {better}", text[max(match.start() - 100, 0) : match.end() + 100].strip())
        for text in found
        for pattern, better in banned.items()
        for match in [re.search(rf"\b(?:{pattern})\b", text, re.IGNORECASE)]
        if match
    ]
    assert not wrong, "\n".join(f"{what}: {text}" for what, text in wrong)
    said = Text(name, 1, re.sub("\u2068.*?\u2069", "an item", "\n\n".join(found)))
    assert [*RULES["phrase"](said), *RULES["spoken"](said)] == []
    if page == "decide":
        assert reading_grade(said.says) <= 9


def test_the_glossary_itself_keeps_to_its_words() -> None:
    for entry in GLOSSARY.values():
        for pattern in EVERYWHERE | {r"draws?": ""}:
            assert not re.search(rf"\b(?:{pattern})\b", entry.says, re.IGNORECASE), entry


def bars_start_at_zero(app: AppTest) -> None:
    for spec in figures(app):
        for trace in spec["data"]:
            if trace["type"] != "bar" or ("base" in trace and trace["base"] is not None):
                continue
            along = "x" if trace.get("orientation") == "h" else "y"
            axis = spec["layout"].get(f"{along}axis" + trace.get(f"{along}axis", along)[1:], {})
            low, high = axis.get("range", (0, 1))
            assert min(low, high) <= 0 <= max(low, high), (trace.get("name"), axis)
            assert axis.get("type") != "log"
