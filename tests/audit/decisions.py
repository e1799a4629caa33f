"""Decisions: the plan that is taken, how its chance moves with the data, and what the sheet says."""

import html
import json
import math
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any

import numpy as np
from numpy.random import Generator

from dpviz import Question, Scores, decide, smallest_epsilon
from dpviz.export.decision import decision_json, decision_sheet
from dpviz.pages.decide import sentences
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import decide_study as answer_module
from dpviz.studies.decision.decide_study import DecideStudy, GoalOutOfReach
from dpviz.studies.design import Design
from tests.audit.figures import true_figure
from tests.audit.runner import Family, Finding, about, between, says

SLACK = 1e-7
DATE = date(2026, 5, 4)
_KNOWN = (
    ("canonical", {}),
    ("canonical", {"noise": "exponential"}),
    ("one_shot", {}),
    ("one_shot", {"noise": "laplace"}),
    ("joint", {}),
    ("gaussian_counts", {}),
)
_UNKNOWN = (
    ("limited_domain", {"candidates": 4}),
    ("limited_domain", {"candidates": 0}),
    ("threshold_counts", {}),
)


def _asked(rng: Generator, *, plans: int, releases: int) -> tuple[str, Question, Scores]:
    """A question with some mechanisms, on a few counts."""
    known = bool(rng.random() < 0.7)
    d, k = int(rng.integers(4, 7)), int(rng.integers(1, 4))
    values = np.sort(rng.integers(0, int(rng.choice([12, 60])), d))[::-1] + (0.0 if known else 1.0)
    few = int(rng.integers(1, 3)) if not known or rng.random() < 0.7 else None
    of_all = _KNOWN if known else _UNKNOWN
    menu = [(name, given) for name, given in of_all if few or name != "gaussian_counts"]
    picked = rng.choice(len(menu), min(plans, len(menu)), replace=False)
    taken = [menu[at] for at in sorted(picked.tolist())]
    goal = f"{int(rng.integers(1, k + 1))} of {k} in {rng.choice(['0.5', '0.8', '0.95'])}"
    limit: dict[str, Any] = {}
    kind = int(rng.integers(3))
    if kind == 0:
        limit["most_epsilon"] = float(rng.integers(1, 20))
    if kind == 1:
        limit["most_right"] = int(rng.integers(55, 95))
    question = Question(
        k=k,
        goal=goal,
        releases=int(rng.integers(1, releases + 1)),
        delta=float(rng.choice([1e-6, 1e-3])),
        data=DataSpec(source="uploaded", monotonic=True, contributions=few, items_known=known),
        designs=tuple(Design(mechanism=name, parameters=given) for name, given in taken),
        picked=True,
        **limit,
    )
    said = (goal, question.releases, question.delta, few, known, limit, taken)
    return f"{values.tolist()}, {said}", question, Scores(values, [f"n{i}" for i in range(d)])


def _chance(study: DecideStudy, epsilon: float, factor: float = 1.0) -> float:
    goal = study.question.parsed_goal
    scores = replace(study.scores, values=study.scores.values * factor)
    m = study.question.designs[study.taken].build(1.0, study.question.k)
    return true_figure(m, scores, (goal.event, goal.at_least, goal.item))(epsilon)


def chances_as_scores_shrink(rng: Generator) -> Iterator[Finding]:
    """Chances at scaled scores; below `lost_below`, and nowhere above, the goal is lost."""
    case, question, s = _asked(rng, plans=1, releases=3)
    study = DecideStudy.from_question(question, s)
    if not study.chosen_plan.meets_goal:
        yield says(case, "found", study.chosen_plan.meets_goal, False)
        return
    for point in (study.drift[at] for at in rng.choice(len(study.drift), 4, replace=False)):
        true = _chance(study, study.epsilon, point.factor)
        yield about(case, f"chance at ×{point.factor}", point.chance, true, SLACK)
        yield between(case, f"low at ×{point.factor}", point.low, 0.0, true, SLACK)
    goal, lost = question.parsed_goal.probability, study.lost_below
    sentence = sentences.drift_sentence(study)
    told = re.search(r"×([\d.]+)(?: as large)?\.$", sentence)
    bound = 1.0 if "any smaller" in sentence else float(told[1]) if told else None
    said = f"{case}: {sentence[-90:]}"
    if told and lost is not None:
        yield between(said, "the factor in words", float(told[1]), lost, lost * 1.02, 1e-9)
    yield says(said, "met however small scores are", "however small" in sentence, lost == 0)
    chance = {f: _chance(study, study.epsilon, f) for f in np.geomspace(1e-5, 0.98, 40).tolist()}
    if bound is not None and "first lost" not in sentence:
        held = [f for f in chance if f < bound * 0.98]
        most = max((chance[f] for f in held), default=0.0)
        yield between(said, "chance at some smaller factor", most, 0.0, goal, SLACK)
    least, here = min(chance.values()), _chance(study, study.epsilon)
    if lost is None:
        right = here < goal + SLACK or min(here, least) >= goal - SLACK
        yield says(case, "lost nowhere, though met on the data", right, True)
    elif lost == 0:
        yield between(case, "chance, though it is never lost", least, goal, 1.0, SLACK)
    else:
        above, below = (_chance(study, study.epsilon, lost * by) for by in (1.002, 0.997))
        yield between(case, f"chance just above ×{lost!r}", above, goal, 1.0, SLACK)
        yield between(case, f"chance below ×{lost!r}", below, 0.0, goal, SLACK)


def choices(rng: Generator) -> Iterator[Finding]:
    """Every plan meets the goal at its ε, no smaller one does; the best by the measure is taken."""
    case, question, s = _asked(rng, plans=3, releases=24)
    study = DecideStudy.from_question(question, s)
    found, goal = [], question.parsed_goal
    for at, plan in study.plans.items():
        m = question.designs[int(at)].build(1.0, question.k)
        true = true_figure(m, study.scores, (goal.event, goal.at_least, None))
        if not plan.meets_goal:
            continue
        found.append(plan)
        p, at_it = goal.probability, f"{plan.label} at {plan.epsilon!r}"
        yield between(case, at_it, true(plan.epsilon), p, 1.0, SLACK)
        wanted = {"probability": p, "event": goal.event, "at_least": goal.at_least}
        own = smallest_epsilon(m, study.scores, **wanted)
        yield between(case, f"ε of {plan.label}", plan.epsilon, own * (1 - 1e-6), own * 1.006)
    if not found:
        yield says(case, "found", [], [])
        return
    taken = study.plans[f"{study.taken}"]
    costs = [plan.cost for plan in found]
    assert taken.cost is not None
    assert all(cost is not None and cost.total is not None for cost in costs)
    guess, total = min(cost.guess for cost in costs), min(cost.total.epsilon for cost in costs)
    all_of = [(plan.label, plan.cost.total.epsilon, plan.cost.guess) for plan in found]
    case, (its_guess, its_total) = f"{case}: {all_of}", (taken.cost.guess, taken.cost.total.epsilon)
    if question.most_right is not None:
        yield about(case, "guess of the one taken", its_guess, guess, 1e-9)
    elif question.most_epsilon is not None:
        yield about(case, "total of the one taken", its_total, total, 1e-9)
    else:
        safer = [cost for cost in costs if cost.guess < its_guess - 1e-9]
        better = [cost for cost in safer if cost.total.epsilon < its_total]
        yield says(case, "cheaper and safer than the one taken", better, [])
        return
    fits = any(cost.is_within_limit(question) for cost in costs)
    yield says(case, "whether it is published", study.is_within_limit, fits)


def _of_100(guess: float) -> int:
    return math.ceil(round(100 * guess, 9))


def sheets(rng: Generator) -> Iterator[Finding]:
    """A decision, its sheet and the JSON say the same, and no chance of a named list leaves."""
    case, question, s = _asked(rng, plans=2, releases=24)
    try:
        decision = decide(question, s)
    except GoalOutOfReach:
        yield says(case, "found", False, False)
        return
    page = html.unescape(re.sub(r"<[^>]*>", " ", decision_sheet(decision, date=DATE)))
    record = json.loads(decision_json(decision, date=DATE))["decision"]
    one, every = (min(100, _of_100(cost.guess)) for cost in (decision.one, decision.cost))
    said = {int(n) for n in re.findall(r"at most (\d+) of 100 people", page)}
    yield says(case, "of 100 and not on the sheet", {one, every} - said - {100}, set())
    yield says(case, "of 100 on the sheet besides", said - {one, every, question.most_right}, set())
    for name, right in (("odds", one), ("total_odds", every)):
        guess = record[name].get("guess_at_most") if isinstance(record.get(name), dict) else None
        if guess is not None:
            yield says(case, f"{name}.guess_at_most in JSON, of 100", _of_100(guess), right)
    yield about(case, "guess_at_most in JSON", record["guess_at_most"], decision.cost.guess, 0.0)
    assert decision.total is not None
    yield about(case, "total in JSON", record["total"]["epsilon"], decision.total.epsilon, 0.0)
    account = min(decision.account.epsilon or 0.0, 1e9)
    yield about(case, "total of the account", account, decision.total.epsilon, 1e-9)
    yield about(case, "ε in JSON", record["epsilon"], decision.epsilon, 0.0)
    yield says(case, "published", record["publish"], not decision.do_not_publish)
    yield says(case, "chances of named lists in JSON", _chances(record["misses"]), [])
    goal = decision.question.parsed_goal
    few, known = question.data.contributions, question.data.names_known
    scores = replace(s, monotonic=True, contributions=few, names_known=known)
    at = true_figure(decision.mechanism, scores, (goal.event, goal.at_least, None))
    true, utility = at(decision.epsilon), decision.utility
    yield about(case, "utility", utility.chance, true, SLACK)
    yield between(case, "utility, its bounds", true, utility.low, utility.high, SLACK)
    yield says(case, "meets", decision.meets_goal, bool(true >= goal.probability))


def _chances(part: Any) -> list[float]:
    if isinstance(part, dict):
        return [one for value in part.values() for one in _chances(value)]
    if isinstance(part, list):
        return [one for value in part for one in _chances(value)]
    return [part] if isinstance(part, float) and part != round(part) else []


def _other(taken: Any) -> Any:
    def wrong(study: DecideStudy) -> int:
        plans = [int(at) for at, plan in study.plans.items() if plan.meets_goal]
        right = taken.__get__(study, DecideStudy)
        return next((at for at in plans if at != right), right)

    return property(wrong)


def _less(strip: Any) -> Any:
    def wrong(*given: Any) -> tuple[Any, ...]:
        return tuple(replace(point, chance=0.99 * point.chance) for point in strip(*given))

    return wrong


def _misread(written: Any) -> Any:
    def wrong(decision: Any, **said: Any) -> str:
        record = json.loads(written(decision, **said))
        record["decision"]["guess_at_most"] *= 0.97
        return json.dumps(record)

    return wrong


def _one_more(sheet: Any) -> Any:
    more = partial(re.sub, r"at most \d+ of 100", "at most 98 of 100")
    return lambda decision, **said: more(sheet(decision, **said))


_HERE = sys.modules[__name__]
_NEVER_LOST = (answer_module, "find_goal_failure_factor", lambda f: lambda *a: None)
_LOWER = (answer_module, "goal_probabilities_by_factor", _less)
_WRITTEN = [(_HERE, "decision_json", _misread), (_HERE, "decision_sheet", _one_more)]
FAMILIES = [
    Family(chances_as_scores_shrink, 4, 60, [_NEVER_LOST, _LOWER]),
    Family(choices, 3, 50, [(DecideStudy, "taken", _other)]),
    Family(sheets, 2, 30, _WRITTEN),
]
