"""Scenarios: what they hold, and both codecs there and back."""

import json
import pickle
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz import NOISES, ParameterError, Scores
from dpviz.data import EXAMPLES, GENERATORS
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.design import Design
from dpviz.studies.scenario import Scenario

texts = st.text(st.characters(codec="utf-8"), max_size=12)
finite = st.floats(allow_nan=False, allow_infinity=False)
pages = st.dictionaries(
    texts, st.one_of(texts, st.booleans(), st.integers(-(10**9), 10**9), finite), max_size=4
)
specs = st.one_of(
    st.builds(
        DataSpec,
        name=st.sampled_from(list(EXAMPLES)),
        monotonic=st.sampled_from([None, True, False]),
        contributions=st.sampled_from([None, 1, 20]),
        called=st.one_of(st.none(), texts),
    ),
    st.builds(
        DataSpec,
        source=st.just("generated"),
        name=st.sampled_from(list(GENERATORS)),
        sensitivity=st.floats(1e-3, 1e3),
        parameters=st.fixed_dictionaries({"size": st.integers(20, 500)}),
    ),
    st.builds(
        DataSpec,
        source=st.just("uploaded"),
        sensitivity=st.just(2.0),
        items_known=st.sampled_from([None, True]),
        unit=st.one_of(st.none(), texts),
        d=st.sampled_from([None, 2, 60]),
    ),
)
designs = st.builds(
    Design,
    mechanism=st.just("canonical"),
    parameters=st.fixed_dictionaries(
        {}, optional={"gamma": st.floats(0, 1), "noise": st.sampled_from(list(NOISES))}
    ),
)
scenarios = st.builds(
    Scenario,
    data=specs,
    epsilon=st.floats(1e-6, 1e4),
    k=st.integers(1, 1000),
    designs=st.lists(designs, min_size=1, max_size=6).map(tuple),
    page=pages,
    seed=st.integers(0, 2**32 - 1),
    name=texts,
)


@given(scenarios)
def test_links_and_files_give_back_the_same_scenario(scenario: Scenario) -> None:
    query = scenario.to_query()
    assert all(isinstance(name, str) and isinstance(value, str) for name, value in query.items())
    assert Scenario.from_query(query) == scenario
    assert Scenario.from_json(scenario.to_json()) == scenario
    assert Scenario.from_json(scenario.to_json().encode()) == scenario
    sent = pickle.loads(pickle.dumps(scenario))
    assert sent == scenario
    assert "mechanisms" not in vars(sent), "other processes may not know a class of one's own"


LABELS = ["secret", "other", "third"]
ON_PAGE = {"decide.releases": 3}


def test_uploaded_scores_travel_in_the_file_and_never_in_a_link() -> None:
    scores = Scores([31.0, 17.0, 23.0], labels=LABELS, sensitivity=2.0)
    spec = DataSpec(source="uploaded", name="salaries.csv", sensitivity=2.0, monotonic=False)
    scenario = Scenario(data=spec, k=1, scores=scores)
    link = " ".join(scenario.to_query().values())
    assert not any(word in link for word in ("secret", "31", "salaries"))
    assert scenario.load() == scores
    opened = Scenario.from_query(scenario.to_query())
    assert opened.needs_data
    with pytest.raises(ParameterError, match="loaded again, as a link never contains scores"):
        opened.load()
    assert Scenario.from_json(scenario.to_json()).load() == scores


@given(
    sensitivity=st.sampled_from([1.0, 2.5, (1.0, 2.0), [1.0, 3.0, 2.0]]),
    monotonic=st.booleans(),
    contributions=st.sampled_from([None, 1, 20]),
    names_known=st.booleans(),
    spec=specs.filter(lambda spec: spec.source == "uploaded"),
)
def test_what_scores_say_of_one_person_outlasts_every_codec(spec: DataSpec, **person: Any) -> None:
    scores = Scores([3.0, 17.0, 23.0], labels=LABELS, **person)
    scenario = Scenario(data=spec, k=1, scores=scores)
    assert Scenario.from_json(scenario.to_json()) == scenario
    assert scenario.load() == scores
    for data in (Scenario.from_query(scenario.to_query()).data, scenario.shareable_copy().data):
        assert data.with_person_metadata(scores) == scores
        assert (data.called, data.unit) == (spec.called, spec.unit)


def test_contributions_and_the_list_of_items_travel_with_the_data() -> None:
    spec = DataSpec(source="uploaded", monotonic=True, contributions=3, items_known=False)
    scores = Scores([3, 1], monotonic=True, contributions=3, names_known=False)
    scenario = Scenario(data=spec, k=1, scores=scores)
    opened = Scenario.from_json(scenario.to_json())
    assert opened == scenario
    assert (opened.load().contributions, opened.load().names_known) == (3, False)
    assert Scenario.from_query(scenario.to_query()).data == spec
    assert DataSpec(name="class_trip", contributions=1).scores().contributions == 1
    assert DataSpec(source="generated", name="zipf", contributions=2).scores().contributions == 2
    for said in (None, True, False):  # what was not said is taken for known, as it always was
        spec = DataSpec(name="class_trip", items_known=said)
        assert spec.scores().names_known == (said is not False)


def test_defaults_are_a_working_example_and_foreign_parameters_are_left() -> None:
    scenario = Scenario()
    assert scenario.k < scenario.load().d
    (mechanism,) = scenario.mechanisms
    assert 0.05 < mechanism.distribution(scenario.load()).top < 0.99
    assert Scenario.from_query({"utm_source": "mail"}) == scenario
    listed = Scenario.from_query({"m10": "canonical", "m2": "peeling", "m1": "one_shot"})
    assert [one.mechanism for one in listed.designs] == ["one_shot", "peeling", "canonical"]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        *(({"epsilon": bad}, "epsilon must be a number above 0") for bad in ("abc", "-1", "NaN")),
        *(({"k": bad}, "k must be a whole number") for bad in ("2.5", "true")),
        ({"seed": "-1"}, "seed must be a whole number"),
        ({"m1": "canonical;gamma=2"}, "gamma must be a number from 0 to 1, not 2"),
        (
            {"m1": "canonical;colour=2"},
            "a parameter of canonical must be one of gamma, noise, rounded, not 'colour'",
        ),
        ({"m1": "magic"}, "mechanism must be one of"),
        ({"data": "planet:x"}, "source must be one of example, generated, uploaded, not 'planet'"),
        ({"data": "example:x"}, "example must be one of"),
        ({"data": "generated:zipf", "data.size": "1"}, "size must be a whole number from 2"),
        ({"sensitivity": "0"}, "sensitivity must be a number above 0"),
        ({"monotonic": "7"}, "monotonic must be True or False, not 7"),
        ({"contributions": "0"}, "contributions must be a whole number of at least 1, not 0"),
        ({"unit": "x" * 201}, "unit must be a text of at most 200 characters"),
        ({"data": "uploaded", "d": "1"}, "d must be a whole number of at least 2, not 1"),
        ({"items_known": "maybe"}, "items_known must be True or False, not 'maybe'"),
        ({"v": "9"}, "the version of the scenario must be 1, not 9"),
        ({"k": "10", "m1": "limited_domain;candidates=3"}, "candidates must be at least k = 10"),
    ],
)
def test_bad_links_get_one_sentence(query: dict[str, str], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Scenario.from_query(query)


NO_SCENARIOS = ["", b"\xff\xfe\x00", "[" * 100_000, "[]", "{}"]


def changed(**changes: object) -> str:
    return json.dumps({**json.loads(Scenario().to_json()), **changes})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *((text, "the file must be a scenario saved by dpviz") for text in NO_SCENARIOS),
        (changed(version=2), "the version of the scenario must be 1, not 2"),
        (changed(version=True), "the version of the scenario must be 1, not True"),
        (changed(k=True), "k must be a whole number"),
        (changed(epsilon=None), "epsilon must be a number"),
        (changed(designs=3), "designs must be a list, not 3"),
        (changed(designs=[]), "the number of designs must be from 1 to 12, not 0"),
        (changed(designs=[3]), "designs must be an object"),
        (
            changed(designs=[{"mechanism": "canonical", "parameters": 4}]),
            "the parameters of designs must be an object",
        ),
        (changed(surprise=1), "an entry of the scenario must be one of"),
        (changed(data={"name": [1]}), r"example must be one of .*, not \[1\]"),
        (
            changed(data={"source": "uploaded"}, scores={"values": [1]}),
            "the number of items must be at least 2",
        ),
        (
            changed(scores={"values": [1, 2]}),
            "scores must be left out unless the data are uploaded",
        ),
        (
            changed(page={"x": [1]}),
            r"page.x must be a text, a finite number, True or False, not \[1\]",
        ),
        (changed(page=7), "page must be an object"),
    ],
)
def test_bad_files_get_one_sentence(text: str | bytes, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Scenario.from_json(text)


def test_a_copy_to_circulate_holds_no_score_and_no_seed_and_asks_for_the_file() -> None:
    values = [918273.0, 645342.0, 123321.0]
    scores = Scores(values, labels=LABELS, sensitivity=2.0, monotonic=True)
    said = {"called": "Calls", "unit": "household", "sensitivity": 2.0}
    spec = DataSpec(source="uploaded", monotonic=True, **said)  # type: ignore[arg-type]
    scenario = Scenario(data=spec, k=1, scores=scores, seed=777111, name="Services", page=ON_PAGE)
    copy = scenario.shareable_copy()
    for text in (copy.to_json(), " ".join(copy.to_query().values())):
        assert not any(word in text for word in ("918273", "secret", "777111"))
        assert "Calls" in text
    assert copy.needs_data
    assert copy.data.d == 3
    assert copy.replace(data=spec) == scenario.replace(scores=None, seed=0)
    assert Scenario.from_json(copy.to_json()) == copy
    unknown = replace(scores, names_known=False)
    assert scenario.replace(scores=unknown).shareable_copy().data.d is None
    assert Scenario(seed=5).shareable_copy() == Scenario()
