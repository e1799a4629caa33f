"""Decide in figures, charts and tables; its sentences are in `sentences`."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from dpviz.base import ParameterError, Progress, ignore_progress, iterate_with_progress, portion
from dpviz.charts import (
    Chart,
    Look,
    count_text,
    isolate_direction,
    percent,
    percent_upper_bound,
    upper_bound_text,
)
from dpviz.charts.decision.cost_lines import CostLine, goal_by_cost_chart
from dpviz.charts.decision.goal_curves import goal_by_epsilon_chart
from dpviz.charts.decision.goal_drift import goal_drift_chart
from dpviz.charts.privacy.frequencies import PeopleGroup, hundred_people_chart
from dpviz.pages import common
from dpviz.pages.decide.sentences import phrases, price, quality
from dpviz.pages.decide.settings import read_question as question_of
from dpviz.studies import Scenario, ShownMechanism, find_epsilon_range, read_if_ready
from dpviz.studies.decision import (
    ON_PAGE,
    PREFIX,
    DecideStudy,
    Decision,
    Question,
    describe_goal,
    describe_goal_and_probability,
    plan_cost,
)
from dpviz.studies.decision.score_scaling import scale_scores
from dpviz.topk import TOP_K

_SEARCH = 0.4  # of the work: the answer, before the steps
_NAMES = ("All releases", "An attacker is right", "The goal", "ε of one release", "Missing")


def headlines(study: DecideStudy) -> list[common.Headline]:
    outcome = read_if_ready(lambda: (study.utility, study.chosen_plan))
    if outcome is None:
        return [common.Headline(name, None, "") for name in _NAMES]
    (utility, plan), question, cost = outcome, study.question, study.cost
    k, total = question.k, study.total
    others = (
        " and the other lists that you named"
        if question.also
        else ". Other publications come on top"
    )
    number = "no total" if total is None else upper_bound_text(total.epsilon)
    simulated = common.SimulatedSource(
        utility.draws, f"{percent(utility.low)} to {percent(utility.high)}"
    )
    return [
        common.Headline(
            _NAMES[0],
            number,
            f"For one {isolate_direction(question.unit)} in"
            f" {count_text(question.releases_per_unit, 'release')}{others}",
            of=f" at δ = {upper_bound_text(total.delta)}"
            if total is not None and total.delta
            else "",
        ),
        common.Headline(
            _NAMES[1],
            f"≤ {percent_upper_bound(cost.guess)}",
            f"about one {isolate_direction(question.unit)}, after"
            f" {phrases.covered_lists_phrase(question)} (pure guessing: 50)",
            of=" in 100",
        ),
        common.Headline(
            _NAMES[2],
            percent(utility.chance, utility.low, utility.high),
            describe_goal(question.parsed_goal, k),
            utility if utility.method == "exact" else simulated,
        ),
        common.Headline(
            _NAMES[3],
            phrases.format_parameter(study.epsilon),
            "It follows from the stated noise"
            if plan.design.stated_scale
            else "the smallest that meets the goal"
            if question.epsilon is None
            else f"set by hand; the goal {phrases.needed_epsilon_phrase(plan.smallest)}",
            of=quality.release_delta_suffix(study),
        ),
        common.Headline(
            _NAMES[4],
            quality.format_missed_item_count(utility),
            f"of the true top {k:,}, on average",
        ),
    ]


def quality_by_cost_chart(
    study: DecideStudy, look: Look, epsilons_on_axis: Sequence[float] = ()
) -> Chart:
    """Quality against the cost of all releases, by mechanism; the axis reaches these ε."""
    question, people = study.question, study.question.most_right is not None
    drawn = [(at, need) for at, need in enumerate(study.needs) if need.along is not None]
    design = question.designs[study.taken]
    costs = [study.cost, *(plan_cost(design, epsilon, question) for epsilon in epsilons_on_axis)]
    position, *reached = (100 * one.guess if people else one.total_epsilon for one in costs)
    at_delta = f" at δ = {upper_bound_text(question.delta)}" if question.delta else ""
    return goal_by_cost_chart(
        [
            CostLine(
                f"{at + 1}",
                need.label,
                100 * need.costs.guess if people else need.costs.total,
                need.curve.at(need.costs.epsilon),
            )
            for at, need in drawn
        ],
        (
            [at for at, _ in drawn].index(study.taken),
            position,
            _hardest_chance(study),
        ),
        question.parsed_goal.probability,
        quality.goal_figure_name(question),
        "attacker right, times in 100 at most"
        if people
        else f"ε of all releases{at_delta}, in equal factors",
        accepted=float(question.most_right)
        if question.most_right is not None
        else question.most_epsilon,
        in_right_guesses=people,
        data_name=" on the hardest of the data" if question.smaller < 1 or question.periods else "",
        axis_reaches=reached,
        look=look,
    )


def _hardest_chance(study: DecideStudy) -> float:
    """Chance of the goal on the hardest of the data, or the expected share."""
    question = study.question
    if not study.past and question.smaller == 1:
        return study.utility.chance
    if (curve := study.chosen_plan_with_curves.curve).covers(study.epsilon):
        return float(curve.at(np.array([study.epsilon]))[0])
    return min(
        question.parsed_goal.figure_value(study.mechanism.distribution(one))
        for one in scale_scores(study.score_vectors, question.smaller)
    )


def drift_chart(study: DecideStudy, look: Look) -> Chart:
    question, points = study.question, study.drift
    return goal_drift_chart(
        [point.factor for point in points],
        [point.chance for point in points],
        question.parsed_goal.probability,
        quality.goal_figure_name(question),
        lost_below=study.lost_below,
        asked=(question.smaller, question.larger),
        data_name=quality.hardest_data_phrase(question),
        look=look,
    )


def decision_comparison_chart(decisions: Mapping[str, Decision], look: Look) -> Chart:
    needs = [
        decision.chosen_plan_with_curves
        for decision in decisions.values()
        if decision.chosen_plan_with_curves.along is not None
    ]
    taken = [
        (i, each.epsilon, f"ε of {letter}") for i, (letter, each) in enumerate(decisions.items())
    ]
    goal = next(iter(decisions.values())).question.parsed_goal.probability
    return goal_by_epsilon_chart(
        needs,
        list(decisions),
        [need.label for need in needs],
        taken,
        goal,
        "chance of its goal",
        look=look,
    )


def right_guesses_chart(study: DecideStudy, look: Look) -> Chart:
    """A hundred attackers who guess about one unit, and how many can be right."""
    guesses = price.guess_bounds_with_occasions(study.question, study.one, study.cost)
    right = [50, *(percent_upper_bound(guess) for guess, _ in guesses)]
    every = f"more after {phrases.covered_lists_phrase(study.question)}, at most"
    between = zip(
        right, right[1:], ("more can be right after one list, at most", every), strict=False
    )
    parts = [
        PeopleGroup(50, "are right by pure guessing"),
        *(PeopleGroup(last - first, says) for first, last, says in between),
        PeopleGroup(100 - right[-1], "must guess wrong"),
    ]
    says = " ".join(
        price.right_guesses_sentence(guess, after.capitalize()) for guess, after in guesses
    )
    how = (
        f"A hundred attackers who know everything else guess whether one {study.question.unit} is in"
        " the data."
    )
    return hundred_people_chart(parts, says, how, look=look)


def lead_sentence(study: Decision | DecideStudy) -> str:
    parts = (
        price.nearest_plan_or_warning(study),
        price.cost_sentence(study),
        quality.plan_sentence(study),
    )
    return " ".join(filter(None, parts))


def build_slider_preview(
    study: DecideStudy, epsilon: float, request: common.PreviewRequest
) -> common.PagePreview:
    """Preview of the answer at this ε of one release, from the study that was computed."""
    (whole,) = request.reused_studies or (study,)
    now = whole.with_epsilon(epsilon).compute(request.progress, "utility")
    return common.PagePreview(
        texts={"heading": price.answer_title(now), "lead": lead_sentence(now)}
        | common.headline_texts_by_live_name(headlines(now)),
        charts={"cost_lines": quality_by_cost_chart(now, request.look)},
        lead=lead_sentence(now),
        height=now.utility.chance,
    )


def preview_range(study: DecideStudy) -> tuple[float, float]:
    question = study.question
    return find_epsilon_range(
        question.designs[question.taken or 0].build(1.0, question.k), study.scores
    )


def plans_table(decisions: Iterable[Decision]) -> pd.DataFrame:
    return pd.concat([decision.frame() for decision in decisions], ignore_index=True)


# ---- what the page says that it shows, and its figure to take away -------------------------------


def describe_settings(question: Question) -> ShownMechanism:
    return ShownMechanism(
        mechanism=", ".join(map(question.label, question.designs)),
        settings=(
            ("Goal", question.goal_text),
            ("Releases", f"{question.releases:,}"),
            ("Unit", question.unit),
        ),
        needs_names=not any(
            TOP_K[design.mechanism].guarantee_holds(False) for design in question.designs
        ),
    )


def build_slider_figure(
    subject: common.PageSubject, progress: Progress = ignore_progress
) -> common.SliderFigure:
    """Figure of the answer by ε; raises `ParameterError` as `decide` does."""
    study = DecideStudy.from_question(question_of(subject.scenario), subject.loaded_scores)
    return build_study_slider_figure(study, subject.scenario, progress)


def build_study_slider_figure(
    study: DecideStudy, scenario: Scenario, progress: Progress
) -> common.SliderFigure:
    """The same of a study, whose scenario names the data."""
    if study.question.states_noise:
        allowed = "one whose ε can vary, as the slider of the figure moves ε"
        raise ParameterError("mechanism", scenario.designs[0].label, allowed)
    study.compute(portion(progress, 0.0, _SEARCH), "plans", "needs", "utility")
    question, need, values = (
        study.question,
        study.chosen_plan_with_curves,
        common.epsilon_grid(study.epsilon),
    )
    return common.SliderFigure(
        title=common.takeaway_title(scenario, "an ε for the goal"),
        lead=(
            f"{phrases.list_contents_phrase(question, study.scores.d)}. The goal,"
            f" {describe_goal_and_probability(question.parsed_goal, question.k)},"
            f" {phrases.needed_epsilon_phrase(need.smallest)} with {need.label}. The decision is ε ="
            f" {phrases.format_parameter(study.epsilon)}{quality.release_delta_suffix(study)}."
            f" {study.change}"
        ),
        slider_quantity="ε of one release",
        steps=tuple(
            _place(study.with_epsilon(value).compute(part, "utility"), (values[0], values[-1]))
            for value, part in iterate_with_progress(values, portion(progress, _SEARCH, 1.0))
        ),
        start=values.index(study.epsilon),
        column_headings=tuple((one.name, one.meaning) for one in _moving(study)),
        charts=("Quality and privacy cost", f"Risk for one {question.unit}"),
        note=common.disclosure_sentence(scenario, common.NOTHING),
    )


def _moving(study: DecideStudy) -> list[common.Headline]:
    """Headlines without ε itself, which the slider shows."""
    return [one for one in headlines(study) if one.name != _NAMES[3]]


def _place(study: DecideStudy, ends: tuple[float, float]) -> common.SliderPosition:
    """Position of one ε; the curves span both `ends`."""

    outcome = quality.outcome_phrase(study.question, study.utility)
    met = "met" if study.meets_goal else "missed"
    value = common.format_slider_value(study.epsilon)
    sentence = (
        f"At ε = {value} {outcome} ({quality.exactness_phrase(study.utility)}). The goal is"
        f" {met}{quality.hardest_data_phrase(study.question)}."
    )
    return common.build_position(
        value,
        sentence,
        [[f"{one.value}{one.of}" for one in _moving(study)]],
        lambda look: (quality_by_cost_chart(study, look, ends), _by_mechanism(study)),
        common.chart_with_table_builder(right_guesses_chart, study),
    )


def _by_mechanism(study: DecideStudy) -> pd.DataFrame:
    """Chance of the goal at this ε: exact for the mechanism taken, by curves for others."""
    utility, at = study.utility, np.array([study.epsilon])
    chances = ["not searched" if need.along is None else "not computed" for need in study.needs]
    for place, need in enumerate(study.needs):
        if need.along is not None and need.curve.covers(study.epsilon):
            chances[place] = f"about {percent(min(max(float(need.curve.at(at)[0]), 0.0), 1.0))}"
    chances[study.taken] = percent(utility.chance, utility.low, utility.high)
    return pd.DataFrame(
        {
            "mechanism": [f"{place} {need.label}" for place, need in enumerate(study.needs, 1)],
            "smallest ε for the goal": [
                phrases.format_smallest_epsilon(need.smallest) for need in study.needs
            ],
            f"{quality.goal_figure_name(study.question)} at this ε": chances,
            "figures are": [need.method or "not searched" for need in study.needs],
        }
    )


def file_disclosure(subject: common.PageSubject) -> str:
    return common.disclosure_sentence(subject.scenario, common.NOTHING)


PAGE = common.PageView(
    title="Decide",
    build_slider_figure=build_slider_figure,
    file_disclosure=file_disclosure,
    settings=tuple(PREFIX + name for name in (*ON_PAGE, "fixed")),
    describe_settings=lambda subject: describe_settings(question_of(subject.scenario)),
)
