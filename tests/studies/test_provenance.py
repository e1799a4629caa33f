"""What leaves the app says what it shows: pure, with the date handed in."""

from dataclasses import replace
from datetime import date

from dpviz import Scores
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.design import Design
from dpviz.studies.provenance import Provenance, ShownMechanism, build_provenance
from dpviz.studies.scenario import Scenario
from dpviz.topk.mechanism import TOP_K

DAY = date(2026, 11, 22)
LABELS = ["ann's secret", "b", "c", "d"]
SCORES = Scores([9, 5, 2, 1], labels=LABELS, sensitivity=2.0, contributions=3)
UPLOADED = DataSpec(source="uploaded", sensitivity=2.0, contributions=3)


def told(
    scenario: Scenario, scores: Scores | None = SCORES, shown: ShownMechanism | None = None
) -> Provenance:
    return build_provenance(
        "Explore", scenario, scores, date=DAY, link="http://x/?k=2", shown_mechanism=shown
    )


def test_everything_is_told_even_where_it_is_the_default() -> None:
    scenario = Scenario(data=UPLOADED, scores=SCORES, epsilon=0.25, k=2, seed=7, name="Spring")
    rows = dict(told(scenario).rows)
    assert rows == {
        "Name": "Spring",
        "Page": "Explore",
        "Data": "Your own scores",
        "d": "4",
        "Δ": "2",
        "Neighbours": "one person replaced by another",
        "One person counts in": "at most 3 items",
        "ε": "0.25",
        "k": "2",
        "Mechanism": "Canonical",
        "γ": "0.5",
        "Noise": "Gumbel (exponential mechanism)",
        "Seed": "7",
        "Date": "2026-11-22",
        "Link": "http://x/?k=2",
    }
    assert told(scenario).caption == (
        "dpviz · Spring · Explore · Your own scores · d = 4 · Δ = 2 · one person replaced by"
        " another · one person counts in: at most 3 items · ε = 0.25 · k = 2 · Canonical · γ = 0.5"
        " · noise: Gumbel (exponential mechanism) · seed: 7 · 2026-11-22"
    )


def test_no_label_and_no_score_is_told_and_data_have_the_given_name() -> None:
    assert "secret" not in str(told(Scenario(data=UPLOADED, scores=SCORES, k=2)))
    named = DataSpec(source="uploaded", called="Votes of May")
    assert "Votes of May" in told(Scenario(data=named, scores=SCORES, k=2)).caption


def test_a_file_name_is_one_that_every_system_takes() -> None:
    many = tuple(Design(mechanism=name) for name in TOP_K) * 3
    name = told(Scenario(designs=many[:12], epsilon=0.1, k=2)).file_name("(h,t) / map")
    assert name.startswith("dpviz-explore-h-t-map-epsilon-0.1-k-2-canonical-")
    assert len(name) <= 120
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789.-")


def test_names_not_known_are_told_with_the_mechanisms_whose_epsilon_does_not_hold() -> None:
    unknown = replace(SCORES, names_known=False)
    scenario = Scenario(designs=(Design(), Design(mechanism="limited_domain")), k=2)
    assert "List of all possible items" not in dict(told(scenario).rows)
    for shown, fails in (
        (None, ", so ε does not hold for Canonical"),
        (ShownMechanism(mechanism="Large margin"), ", so ε does not hold for Large margin"),
        (ShownMechanism(mechanism="Limited domain", needs_names=False), ""),
    ):
        rows = dict(told(scenario, unknown, shown).rows)
        assert rows["List of all possible items"] == f"none{fails}"
