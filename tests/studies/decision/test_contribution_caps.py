"""What a cap would save is counted again from the log, and is left out where there is none."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from dpviz import smallest_epsilon
from dpviz.base import pd, percent_upper_bound
from dpviz.data.counting import count_people_in_log
from dpviz.data.reading.table import read_frame
from dpviz.pages.decide.sentences import price
from dpviz.privacy.composition_result import Total
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Cost, DecideStudy, Question, RecountableLog, decide
from dpviz.studies.decision.plans import Plan
from dpviz.studies.decision.suggestions import CapOutcome
from dpviz.studies.design import Design

_RNG = np.random.default_rng(4)
_SHARE = np.linspace(2, 1, 12)
_ONE = _RNG.choice(12, 3000, p=_SHARE / _SHARE.sum())
NOISY = Design(mechanism="one_shot", parameters={"noise": "laplace"})
ASKED = Question(
    k=6,
    goal="5 of 6 in 0.9",
    releases=12,
    designs=(Design(), NOISY),
    data=DataSpec(source="uploaded", monotonic=True),
)


def recountable(items: Callable[[int, int], Iterable[int]]) -> RecountableLog:
    """Log in which a person, by number and first item, has these items."""
    rows = [(f"p{who}", f"item {item}") for who, one in enumerate(_ONE) for item in items(who, one)]
    table = read_frame(pd.DataFrame(rows, columns=["who", "what"]))
    return RecountableLog(
        lambda most: count_people_in_log(table, "who", "what", contributions=most).scores, "log"
    )


LOG = recountable(lambda who, one: range(12) if who % 10 == 0 else [one])
counted = LOG.count


@pytest.mark.long
def test_each_cap_is_counted_again_and_costs_what_it_says() -> None:
    decision = decide(ASKED, counted(None), log=LOG)
    assert decision.caps is not None
    assert [cap.most for cap in decision.caps] == [1, 2, 3, 5, 10]
    for cap in decision.caps:
        kept = replace(counted(cap.most), names_known=True)  # as the question says
        assert kept.values.sum() <= counted(None).values.sum()
        told = ASKED.replace(data=replace(ASKED.data, contributions=cap.most))
        again = decide(told, kept)
        assert (cap.epsilon, cap.cost) == (again.epsilon, again.cost)
        m = again.chosen_plan_with_curves.design.build(1.0, 6)
        assert cap.epsilon >= smallest_epsilon(m, kept, probability=0.9, figure="hits", at_least=5)
        before, after = ({s.label(int(i)) for i in s.order[:6]} for s in (counted(None), kept))
        assert cap.same == len(before & after)
    saving = [cap for cap in decision.caps if cap.cost.total_epsilon < decision.cost.total_epsilon]
    assert saving
    assert len(price.contribution_cap_sentences(decision)) == len(saving)


def test_of_caps_that_leave_out_nothing_only_the_smallest_is_offered() -> None:
    log = recountable(lambda who, one: {int(one), int(one + who) % 12})
    study = DecideStudy.from_question(ASKED, log.count(12), log=log)
    assert [cap.most for cap in study.caps or ()] == [1, 2]


def test_a_cap_is_compared_with_no_cap_too() -> None:
    asked = ASKED.replace(data=replace(ASKED.data, contributions=1))
    few = DecideStudy.from_question(asked, counted(1), log=LOG)
    many = DecideStudy.from_question(ASKED, counted(None), log=LOG)
    (free, *_) = few.caps or ()
    assert (free.most, free.cost) == (None, many.cost)
    assert free.cost.total_epsilon > few.cost.total_epsilon
    assert not any("No limit of items" in told for told in price.contribution_cap_sentences(few))


def test_without_a_log_or_with_past_periods_nothing_is_said() -> None:
    alone = DecideStudy.from_question(ASKED, counted(None))
    assert alone.caps is None
    assert price.contribution_cap_sentences(alone) == ()
    past = [counted(None), counted(None)]
    assert DecideStudy.from_question(ASKED, past, log=LOG).caps is None


@pytest.mark.parametrize("most_right", [None, 75])
def test_a_cap_that_is_told_is_better_in_a_figure_that_is_told(most_right: int | None) -> None:
    """Right guesses of 54.4 and 54.8 in 100 are both told as 55, and help nobody."""
    rng, question = np.random.default_rng(3), ASKED.replace(most_right=most_right)
    for _ in range(300):
        guesses, totals = rng.uniform(0.52, 0.56, 4), rng.uniform(0.8, 1.0, 4)
        now, *capped = (
            Cost(Total(total, 1e-6, "rho"), guess)
            for total, guess in zip(totals, guesses, strict=True)
        )
        caps = tuple(CapOutcome(n, "it", 0.1, cost, 6) for n, cost in enumerate(capped, 1))
        plan = Plan(NOISY, "it", 0.1, 0.1, "", now)
        study = SimpleNamespace(question=question, plans={"it": plan}, caps=caps)
        told = price.contribution_cap_sentences(cast(DecideStudy, study))
        for cap in caps:
            said = any(one.startswith(f"At most {cap.most} item") for one in told)
            fewer = percent_upper_bound(cap.cost.guess) < percent_upper_bound(now.guess)
            cheaper = cap.cost.total_epsilon < now.total_epsilon
            assert fewer or cheaper or not said, (now, cap)
            assert not (fewer and cheaper) or said, (now, cap)
