"""Links and scenario files as nobody should write them: a scenario, or one sentence, comes out."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

from numpy.random import Generator

from dpviz import Design, ParameterError, Scenario, Scores
from dpviz.studies.data_spec import DataSpec

STORED = json.loads((Path(__file__).parent / "data" / "links.json").read_text("utf-8"))["links"]
OWN: dict[str, list[dict[str, str]]] = {
    "learn": [
        {"lesson": "permute_and_flip", "step": "3", "seed": "7", "releases": "100"},
        {"lesson": "gaps_and_their_bias", "step": "3", "setting": "100"},
        {"instructor": "45"},
    ],
    "deployments": [{"unit": "person", "sort": "who"}, {"entry": "flex-uber-2018"}],
    "classroom": [{"lesson": "ties"}, {"session": "45"}, {"code": "ABCDEF"}],
}
"""Links of pages that show no scenario."""

SCORES = Scores([3.0, 1.0, 2.0], labels=["a", "b", "c"], monotonic=True, contributions=2)
LAPLACE = Design(mechanism="one_shot", parameters={"noise": "laplace"})
UPLOADED = DataSpec(source="uploaded", monotonic=True, contributions=2)
ZIPF = DataSpec(source="generated", name="zipf", parameters={"size": 40, "exponent": 0.5})
SOUND = (
    Scenario(),
    Scenario(epsilon=0.3, k=3, designs=(Design(), LAPLACE)),
    Scenario(data=ZIPF, page={"view": "x"}, seed=7),
    Scenario(data=UPLOADED, scores=SCORES, k=1, name="Favourites"),
)
TEXTS = (
    "", " ", "m", "canonical", ";", "=", "a=b;=;", "canonical;gamma=", "canonical;gamma=NaN", "joint;over=", "\ud800",
    "a\0b", "\x1b[31m", "a\nb", "x" * 5_000, "9" * 5_000, "-" + "9" * 4_000, "1e999", "NaN", "-Infinity", "true",
    "null", "[]",
    "{}", '"', "example", "example:", "example:class_trip", "example:\ud800", "generated:zipf", "generated:no",
    "uploaded", "uploaded:x", "9007199254740993", "0", "-1", "0.0", "1e-320", "None", "\u202eabc", "<script>",
    "[" * 3_000, "0" * 300 + "1",
)  # fmt: skip
NAMES = (
    "m", "m0", "m1", "m03", "m1e3", "m" + "9" * 5_000, "m\u0661", "data", "data.", "data.d", "data.s", "data.seed",
    "page.", "page.view", "epsilon", "k", "seed", "v", "name", "sensitivity", "monotonic", "contributions",
    "items_known", "d", "unit", "\ud800", "x" * 5_000, "presenter",
)  # fmt: skip
FIELDS = ("scores", "values", "labels", "designs", "page", "data", "source", "parameters")
VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 1e308, 10**400, 2**53 + 1, float("nan"), float("inf"), [], {}, [1], {"a": 1}, "x", "\ud800",
    "a\0b\x1b\n", "x" * 5_000, [None], [["a"]], [1, "a"], {"values": [1, 2]}, {"values": [1, 2], "labels": ["a"]},
    {"values": ["a", "b"]}, {"labels": ["a", "b"]}, {"values": [1, 2], "labels": ["\ud800", "\x1b"]},
    {"values": [1, 2], "labels": ["a", "x" * 5_000]}, {"values": 5}, {"values": [[1], [2]]}, {"mechanism": "canonical"},
    {"mechanism": []}, [{"mechanism": "canonical", "parameters": []}],
    [{"mechanism": "one_shot", "parameters": {"noise": []}}],
    {"source": "uploaded"}, {"source": "example", "name": []}, {"source": "generated", "parameters": {"d": 1e9}},
)  # fmt: skip


def any_of(choices: tuple[Any, ...], rng: Generator) -> Any:
    return choices[int(rng.integers(len(choices)))]


def page_link(page: str, rng: Generator) -> dict[str, str]:
    """A damaged link, mostly one that this page once wrote, now and then another page's."""
    stored = [each["link"] for each in STORED if each["page"] == page] or OWN.get(page)
    if stored is None or rng.random() < 0.2:
        return link(rng)
    return damaged(dict(any_of(tuple(stored), rng)), rng)


def link(rng: Generator) -> dict[str, str]:
    """A damaged link."""
    return damaged(dict(any_of(SOUND, rng).to_query()), rng)


def damaged(query: dict[str, str], rng: Generator) -> dict[str, str]:
    """The link with damage in a few places."""
    for _ in range(int(rng.integers(1, 4))):
        names = tuple(query) or NAMES
        match int(rng.integers(4)):
            case 0:
                query.pop(any_of(names, rng), None)
            case 1:
                query[any_of(names, rng)] = any_of(TEXTS, rng)
            case 2:
                query[any_of(NAMES, rng)] = any_of(TEXTS, rng)
            case _:
                name = any_of(names, rng)
                cut = int(rng.integers(len(query.get(name, "")) + 1))
                query[name] = query.get(name, "")[:cut] + any_of(TEXTS, rng)
    return query


def file(rng: Generator) -> str | bytes:
    """A damaged scenario file."""
    content = json.loads(any_of(SOUND, rng).to_json())
    for _ in range(int(rng.integers(1, 4))):
        inner = tuple(value for value in content.values() if isinstance(value, dict))
        place = any_of(inner, rng) if inner and rng.random() < 0.5 else content
        names = (*place, *NAMES, *FIELDS)
        if rng.random() < 0.2:
            place.pop(any_of(names, rng), None)
        else:
            place[any_of(names, rng)] = deepcopy(any_of(VALUES, rng))
    text = json.dumps(content)
    if rng.random() < 0.1:
        at = int(rng.integers(len(text)))
        return (text[:at] + any_of(TEXTS, rng) + text[at + 1 :]).encode("utf-8", "surrogatepass")
    return text


def try_link(query: dict[str, str]) -> str:
    """What came of a link: "scenario" or "sentence"."""
    try:
        scenario = Scenario.from_query(query)
    except ParameterError as err:
        return one_sentence(err)
    assert Scenario.from_query(scenario.to_query()) == scenario.replace(scores=None)
    "".join(scenario.to_query().values()).encode()
    return "scenario"


def try_file(text: str | bytes) -> str:
    """What came of a file: "scenario" or "sentence"."""
    try:
        scenario = Scenario.from_json(text)
    except ParameterError as err:
        return one_sentence(err)
    again = Scenario.from_json(scenario.to_json().encode())
    assert again.to_json() == scenario.to_json()
    return "scenario"


def one_sentence(err: ParameterError) -> str:
    told = str(err)
    assert len(told) <= 1_000, told
    assert "\n" not in told
    assert all(letter.isprintable() for letter in told), ascii(told)
    told.encode()
    return "sentence"


def try_one(rng: Generator) -> str:
    """One case, and what came of it."""
    return "link: " + try_link(link(rng)) if rng.random() < 0.5 else "file: " + try_file(file(rng))
