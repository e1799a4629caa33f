"""What a page says that it shows, on prints and in files: pages whose mechanisms are not the scenario's designs."""

import html

from dpviz.base.errors import ParameterError
from dpviz.base.scores import Scores
from dpviz.candidates import CandidateRule
from dpviz.charts.words import number, whole
from dpviz.gaps.noisy_top_k import GAPS
from dpviz.margin.compared import COMPARED
from dpviz.margin.one_item import TOP_ONE
from dpviz.reports.rule_words import settings
from dpviz.studies.about import Pair, Shown, own_settings, setting
from dpviz.studies.decision import Question
from dpviz.studies.pages import margin as margin_page
from dpviz.studies.pages.gaps import CUSTOM, GAPS_PAGE
from dpviz.studies.pages.neighbours import NEIGHBOURS_PAGE, WHO, family_of, name_on
from dpviz.studies.scenario import Scenario
from dpviz.topk.mechanism import TOP_K

__all__ = ["candidates", "decide", "gaps", "margin", "neighbours"]


def gaps(scenario: Scenario, scores: Scores) -> Shown:
    """The open half: noisy top-k, or both sparse vectors with how they are asked."""
    values, _ = GAPS_PAGE.values_on(scenario.page)
    if values["half"] == "top_k":
        return Shown(mechanism=GAPS.label("noisy_top_k_with_gap"))
    by = ("quantile", "threshold")[values["by"] == "value"]
    asked = (by, "split", *(("share",) if values["split"] == CUSTOM else ()), "order", "confidence")
    told = (setting(GAPS_PAGE.declared[name], values[name]) for name in asked)
    return Shown(mechanism="Sparse vector with gap, plain and adaptive", settings=tuple(told))


def margin(scenario: Scenario, scores: Scores) -> Shown:
    """One item, by large margin and by what it is held against."""
    now, _ = margin_page.read(scenario, scores)
    told = (
        ("δ", f"{now.delta:.10g}"),
        ("K", whole(now.universe)),
        ("A good item is at most this far below", f"{now.good:.10g}"),
    )
    return Shown(mechanism=", ".join(map(COMPARED.label, COMPARED)), settings=told, k=1)


def candidates(view: str, name: str, price: tuple[float, float], rule: CandidateRule) -> Shown:
    """The open view: the rule on the candidates of that name, with what it costs where its theorem says."""
    epsilon, delta = price
    run = (("Candidates", name), ("ε1 of one run", f"{epsilon:.10g}"), ("δ1 of one run", f"{delta:.10g}"))
    if view == "leaks":
        return Shown(mechanism="Runs compared", settings=run[1:])
    if view == "percentile":
        return Shown(mechanism="Percentile sparse vector", settings=run)
    try:
        total = rule.total_epsilon(epsilon, delta)
    except ParameterError:
        priced: tuple[tuple[str, str], ...] = ()
    else:
        priced = (("Total ε", number(total[0])), ("Total δ", number(total[1])))
    return Shown(mechanism=html.unescape(settings(rule)), settings=(*run, *priced))


def neighbours(scenario: Scenario, scores: Scores) -> Shown:
    """The mechanism name_on, and whose data are looked at."""
    now = NEIGHBOURS_PAGE.on(scenario.page)[0]
    name = name_on(scenario)
    menu = family_of(name).menu
    mechanism = menu.label(name)
    own: tuple[Pair, ...] = ()
    if menu is TOP_K:
        design = scenario.designs[0]
        mechanism, own = design.label_for(scenario.k, scores.contributions), own_settings(design)
    whose = ("Whose data", WHO[now.who].lower())
    return Shown(mechanism=mechanism, settings=(*own, whose), k=1 if menu is TOP_ONE else None)


def decide(question: Question) -> Shown:
    """What is asked of the designs allowed."""
    labels = ", ".join(design.label_for(question.k, question.data.contributions) for design in question.designs)
    asked = (("Goal", question.goal_text), ("Releases", f"{question.releases:,}"), ("Unit", question.unit))
    return Shown(mechanism=labels, settings=asked)
