"""The sheet and its JSON: every figure is the library's, and what must not leave does not."""

import html
import json
import re
from dataclasses import replace
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

from dpviz import Scenario, Scores, compose, guess_bound, posterior_bound, smallest_epsilon
from dpviz.base.text_format import percent
from dpviz.export.decision import decision_json, decision_record, decision_sheet, release_code
from dpviz.pages.decide.sentences import price, quality
from dpviz.privacy.composition import right_guess_bound
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Decision, Question, decide, round_epsilon_up
from dpviz.studies.design import Design
from tests.hostile import read

DATE = date(2026, 5, 4)
SECRET = [918273.0 - 4711 * i * (i + 1) / 2 for i in range(12)]
SEED = 123454321
PERSON: dict[str, Any] = {"monotonic": True, "contributions": 2, "sensitivity": 1000.0}
HOUSEHOLDS = DataSpec(
    source="uploaded", called="Calls of 2025", unit="household", items_known=True, **PERSON
)
SCORES = Scores(SECRET, labels=[f"Item <{chr(65 + i)}>" for i in range(12)])


@cache
def decided(known: bool | None = True, **changes: Any) -> Decision:
    said: dict[str, Any] = {"name": "Calls & co", "decided_on": "past", "releases": 12}
    data = replace(HOUSEHOLDS, items_known=known)
    designs = Design(), Design(parameters={"gamma": 0.25})
    if known is False:
        designs = Design(mechanism="limited_domain"), Design(mechanism="threshold_counts")
    of: dict[str, Any] = {"data": data, "designs": designs, "period": "a year"}
    question = Question(k=4, **of, **said | changes)
    asked = Scenario(seed=SEED).replace(
        **{n: getattr(question.to_scenario(1.0), n) for n in ("data", "k", "page", "name")}
    )
    return decide(Question.from_scenario(asked, designs=question.designs), SCORES)


def schema() -> dict[str, Any]:
    return json.loads(files("dpviz.export.decision").joinpath("schema.json").read_text("utf-8"))


def sheets(decision: Decision, beside: Decision | None = None) -> tuple[str, str]:
    told: dict[str, Any] = {"date": DATE, "beside": beside}
    return decision_sheet(decision, **told), decision_json(decision, **told)


def tags_of(page: str) -> set[str]:
    return {tag for tag, _ in read(page)[0]}


def leaks(text: str) -> list[str]:
    """Every score and the seed, in any of the ways in which they could be written."""
    ways: set[str] = set()
    for v in (*SECRET, float(SEED)):
        ways |= {f"{v:.0f}", f"{v:,.0f}", repr(v), f"{v:.4g}", f"{v / 1000:g}", f"{v / 500:g}"}
    return sorted(way for way in ways if re.search(rf"(?<![\d.]){re.escape(way)}(?![\d])", text))


class TestNothingLeaks:
    def test_no_score_and_no_seed_on_any_sheet(self) -> None:
        for text in sheets(decided(), decided(goal="4 of 4 in 0.99")):
            assert leaks(html.unescape(text)) == []
            assert SCORES.digest not in text

    @pytest.mark.parametrize("value", [SECRET[0], SECRET[7], float(SEED)])
    def test_the_search_finds_what_is_planted(self, value: float) -> None:
        decision = decided()
        for text in (f"{value:.0f}", f"{value:,.0f}", repr(value)):
            planted = replace(decision, change=text)
            for sheet in sheets(planted):
                assert leaks(html.unescape(sheet))

    def test_a_seed_in_the_scenario_would_be_found(self) -> None:
        decision = decided()
        planted = replace(decision, scenario=decision.scenario.replace(seed=SEED))
        for sheet in sheets(planted):
            assert leaks(sheet)

    def test_a_digest_stands_there_only_where_it_was_asked_for(self) -> None:
        asked = decide(decided().question, SCORES, digest=True)
        assert asked.digest is not None
        for sheet in sheets(asked):
            assert asked.digest in sheet


class TestEveryFigureIsTheLibrarys:
    def test_json(self) -> None:
        decision = decided()
        question, told = decision.question, decision_record(decision, date=DATE)["decision"]
        scores = replace(SCORES, **PERSON)
        goal = {"figure": "hits", "at_least": 4, "probability": 0.9}
        for design, row in zip(question.designs, told["mechanisms"], strict=True):
            least = smallest_epsilon(design.build(1.0, 4), scores, **goal)
            assert row["smallest_epsilon"] == round_epsilon_up(least)
        m = question.designs[decision.taken].build(told["epsilon"], 4)
        dist = m.distribution(scores)
        assert told["smallest_epsilon"] == told["epsilon"]
        assert told["utility"]["chance"] == round(dist.hits_at_least(4), 4)
        assert told["utility"]["low"] <= dist.hits_at_least(4) <= told["utility"]["high"]
        assert told["utility"]["high"] - told["utility"]["low"] < 1.5e-4
        assert told["utility"]["hits"] == dist.hits.round(4).tolist()
        assert told["utility"]["drop_rate"] == pytest.approx(1 - dist.share, abs=1e-4)
        assert told["rho"] == m.zcdp
        total = compose([m] * 12, delta=1e-6)
        assert told["account"]["ways"] == {way.name: way.epsilon for way in total.ways}
        assert told["odds"]["guess_at_most"] == right_guess_bound([m]) < guess_bound(m.epsilon)
        every = told["total_odds"]
        assert every["guess_at_most"] == told["guess_at_most"] == right_guess_bound([(m, 12)])
        belief = {"before": 0.1, "at_most": posterior_bound(0.1, 12 * m.epsilon)}
        assert every["beliefs"][1] == belief
        assert told["misses"] is None

    def test_the_page_says_the_same(self) -> None:
        decision = decided()
        words = re.sub("[\u2068\u2069]", "", read(decision_sheet(decision, date=DATE))[1])
        scores = replace(SCORES, **PERSON)
        dist = decision.mechanism.distribution(scores)
        needs = [need for _, need, _ in price.plan_rows(decision)[:5]]
        shown = [
            "No limit was set.",
            quality.outcome_phrase(decision.question, decision.utility).replace(
                "releases", "lists"
            ),
            f"{percent(dist.hits_at_least(4))} (exact",
            f"drop rate {percent(1 - dist.share)}",
            f"ε = {12 * decision.epsilon:.4g} by basic composition",
            f"is right at most {-(-100 * decision.cost.guess // 1):.0f} times in 100",
            "one household added or removed (unbounded)",
            "counts in at most 2 items",
            "12 lists will be published over a year, each meant to have the 4 best of 12 items",
            "Calls of 2025",
            "4 May 2026",
            *(f"{round_epsilon_up(need.smallest):.4g}" for need in needs),
            "at δ = 1×10⁻⁶",
        ]
        assert [text for text in shown if text not in words] == []

    def test_two_decisions_differ_where_they_should(self) -> None:
        first, second = decided(), decided(goal="4 of 4 in 0.99")
        page = decision_sheet(first, date=DATE, beside=second)
        record = decision_record(first, date=DATE, beside=second)
        assert second.epsilon > first.epsilon
        assert record["decision"]["epsilon"] == first.epsilon
        assert record["beside"]["epsilon"] == second.epsilon
        name = "Smallest ε for the goal"
        row = re.search(rf'<th scope="row">{name}</th><td>(.*?)</td><td>(.*?)</td>', page)
        assert row is not None
        assert [float(cell) for cell in row.groups()] == [first.epsilon, second.epsilon]
        assert '<th scope="row">Neighbouring data</th><td colspan="2">one household' in page
        assert quality.SIDE_BY_SIDE["Contributions"](first) == "at most 2 items"


class TestThePage:
    def test_it_needs_no_script_and_no_other_file(self) -> None:
        page = decision_sheet(decided(), date=DATE)
        tags = tags_of(page)
        assert tags.isdisjoint({"script", "link", "img", "iframe", "object", "form", "a", "base"})
        assert "default-src 'none'" in page
        assert not re.search(r"https?:|url\(|@import", page)

    def test_what_people_wrote_is_inert(self) -> None:
        spec = replace(HOUSEHOLDS, called="<img src=x>", unit="<script>alert(1)</script>")
        question = Question(
            name='"><svg onload=x>', k=4, data=spec, period="<i>", designs=(Design(),)
        )
        page = decision_sheet(decide(question, SCORES), date=DATE)
        assert tags_of(page).isdisjoint({"script", "img", "svg", "i"})
        assert "onload=x>" not in page

    def test_the_code_on_it_is_the_code_of_the_release(self) -> None:
        decision = decided()
        page = decision_sheet(decision, date=DATE)
        found = re.search(r"<pre><code>(.*?)</code></pre>", page, re.DOTALL)
        assert found is not None
        assert html.unescape(found[1]) == release_code(decision).text

    def test_the_same_question_on_the_same_day_gives_the_same_sheet(self) -> None:
        decision = decided()
        assert sheets(decision) == sheets(decide(decision.question, SCORES))

    def test_its_scenario_asks_the_same_again(self) -> None:
        decision = decided()
        page, record = decision_sheet(decision, date=DATE), decision_record(decision, date=DATE)
        asked = Scenario.from_json(json.dumps(record["decision"]["scenario"]))
        assert asked.needs_data
        told = (asked.data.d, asked.data.called, asked.data.unit)
        assert told == (12, "Calls of 2025", "household")
        assert Question.from_scenario(asked).replace(data=HOUSEHOLDS) == decision.question
        assert "called=Calls+of+2025" in page


FIRST = {
    "past": {"decided_on": "past", "most_right": 80},
    "protected and weak": {"decided_on": "protected", "epsilon": 9.0},
    "nobody said": {"decided_on": None, "most_epsilon": 2.0},
    "no": {"most_right": 51, "counts_in": 2, "goal": "4 of 4 in 0.99"},
    "names not known": {"known": False, "counts_in": 1},
    "not said if names were known": {"known": None},
    "share": {"goal": "share in 0.8", "most_right": 99},
}


@pytest.mark.parametrize("changes", FIRST.values(), ids=FIRST)
def test_the_first_page_is_at_most_twelve_short_sentences_that_begin_with_the_verdict(
    changes: dict[str, Any],
) -> None:
    decision = decided(**changes)
    first, _ = decision_sheet(decision, date=DATE).split('<h1 class="second">')
    lines = [
        html.unescape(line) for line in re.findall(r"<p(?: class=\"headline\")?>(.*?)</p>", first)
    ]
    text = " ".join(lines).replace("Calls & co", "Calls")
    found, words = re.findall(r"[^.!?]+[.!?](?= |$)", text), text.split()
    assert len(found) <= 12
    assert max(len(sentence.split()) for sentence in found) <= 25
    letters = sum(map(str.isalnum, text))
    index = 4.71 * letters / len(words) + 0.5 * len(words) / len(found) - 21.43
    assert index <= 9  # automated readability
    assert not set("εδρ") & set(html.unescape(first))
    kinds = {"yes": "Yes: ", "no": "Not within your limit", "no limit": "No limit was set"}
    assert lines[0].startswith(kinds[decision.verdict.kind])
    if decision.question.most_right and decision.question.decided_on == "past":
        assert lines[0].startswith(price.answer_title(decision))


class TestTheRecord:
    @pytest.mark.parametrize("beside", [False, True])
    def test_it_keeps_to_its_schema(self, beside: bool) -> None:
        other = decided(goal="4 of 4 in 0.99") if beside else None
        jsonschema.Draft202012Validator.check_schema(schema())
        record = json.loads(decision_json(decided(), date=DATE, beside=other))
        jsonschema.validate(record, schema())
        for key in ("decision", "deployment"):
            with pytest.raises(jsonschema.ValidationError):
                jsonschema.validate({**record, key: {**record[key], "score": 1}}, schema())
        for path in ("epsilon", "odds", "utility"):
            less = {name: value for name, value in record["decision"].items() if name != path}
            with pytest.raises(jsonschema.ValidationError):
                jsonschema.validate({**record, "decision": less}, schema())

    def test_goals_and_mechanisms_out_of_reach_are_null(self) -> None:
        gamma = Design(parameters={"gamma": 0.0})
        said: dict[str, Any] = {"data": HOUSEHOLDS, "decided_on": "past"}
        question = Question(k=4, goal="top in 0.9", designs=(gamma, Design()), **said)
        record = decision_record(decide(question, SCORES), date=DATE)
        jsonschema.validate(record, schema())
        assert record["decision"]["mechanisms"][0]["smallest_epsilon"] is None
        assert record["decision"]["mechanisms"][0]["reason"]
        assert "not reached" in decision_sheet(decide(question, SCORES), date=DATE)
