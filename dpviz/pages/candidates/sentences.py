"""Candidates in sentences: rules and their theorems, prices, settings and notes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dpviz.base import ParameterError
from dpviz.candidates import CANDIDATES, CandidateRule, naive_epsilon
from dpviz.charts import count_text, number_text, upper_bound_text
from dpviz.pages import common
from dpviz.pages.candidates.study import ChoiceStudy, RunsStudy
from dpviz.studies import ShownMechanism

LEAKS = "What does comparing runs reveal?"
LEAKS_LEAD = "Each run is private on its own, but choosing among runs can still expose a person."
NOT_COVERED = "not covered"
MADE_UP = "The people are made up, and this app made the runs."


@dataclass(frozen=True)
class RuleDescription:
    does: str
    costs: str
    source: str


_WORDS = {
    "one": RuleDescription(
        "Picks a candidate at random and publishes its run.",
        "ε1",
        "No theorem needed: one private run.",
    ),
    "known_threshold": RuleDescription(
        "Runs random candidates until one scores at least τ, and publishes that run. After each"
        " failure a coin may end the search without a result. τ must not come from the private"
        " data.",
        "2ε1 + ε0",
        "Liu & Talwar 2018, Theorem 3.1: random stopping hides how many runs failed.",
    ),
    "random_stopping": RuleDescription(
        "Runs random candidates until a coin says stop, and publishes the best run.",
        "3ε1 for any number of runs (3ε1 + 3ε0 with a hard limit)",
        "Liu & Talwar 2018, Theorems 3.2, 3.4 and 3.5: a random number of runs hides which run was"
        " best by chance.",
    ),
    "negative_binomial": RuleDescription(
        "Draws the number of runs from a negative binomial distribution, and publishes the best"
        " run. With η = 1 it is random stopping.",
        "(2 + η)ε1",
        "Papernot & Steinke 2022, Corollary 3.",
    ),
    "poisson": RuleDescription(
        "Draws the number of runs from a Poisson distribution of mean μ, and publishes the best"
        " run.",
        "computed from Rényi orders at the chosen δ; meant for small ε1",
        "Papernot & Steinke 2022, Theorem 6.",
    ),
    "naive": RuleDescription(
        "Runs every candidate once and publishes the best run.",
        "Kε1: one ε1 for each candidate",
        "Composition. The worst case reaches it (Liu & Talwar 2018, Appendix B.1).",
    ),
}

LABELS = {
    "one": "One random candidate, one run",
    **{name: CANDIDATES.label(name) for name in CANDIDATES},
    "naive": "Naive: best of one run each",
}


def rule_description(name: str) -> RuleDescription:
    """Description of a way to choose; by default the first line of its docstring."""
    return (
        _WORDS[name]
        if name in _WORDS
        else RuleDescription(
            (CANDIDATES[name].__doc__ or "").strip().split("\n")[0], "see the theorem", ""
        )
    )


def uncovered_theorem_reason(err: ParameterError) -> str:
    if err.parameter == "limit" and err.code == "missing":
        return (
            "with δ1 above 0 the theorem needs a limit T, so switch on “Set the limit T” in the"
            " sidebar"
        )
    return (
        f"its theorem is for runs with δ1 {'= 0' if err.code == 'pure' else err.allowed}"
        if err.parameter == "candidate_delta"
        else str(err).rstrip(".")
    )


_SIGNS: dict[str, tuple[str, Callable[[Any], str]]] = {
    "threshold": ("τ", number_text),
    "stop": ("γ", number_text),
    "epsilon0": ("ε0", number_text),
    "shape": ("η", number_text),
    "mean": ("μ", number_text),
    "delta": ("δ", number_text),
    "limit": ("at most", lambda limit: count_text(limit, "run")),
}


def rule_with_parameters(rule: CandidateRule) -> str:
    """A rule and its parameters, in short.

    >>> from dpviz.candidates import RandomStopping
    >>> rule_with_parameters(RandomStopping(stop=0.1, limit=99))
    'Random stopping, γ = 0.1, at most 99 runs'
    """
    parts = [CANDIDATES.label(rule.name)]
    for name, (sign, written) in _SIGNS.items():
        given = getattr(rule, name, None)
        if given is not None:
            parts.append(
                f"{sign} {written(given)}" if name == "limit" else f"{sign} = {written(given)}"
            )
    return ", ".join(parts)


def format_price(total: tuple[float, float] | ParameterError) -> str:
    """A total (ε, δ), or "not covered"."""
    return (
        NOT_COVERED
        if isinstance(total, ParameterError)
        else upper_bound_text(total[0])
        + (f", δ = {upper_bound_text(total[1])}" if total[1] else "")
    )


def page_head_texts(study: RunsStudy) -> tuple[str, str, str]:
    epsilon, delta = study.run_epsilon_and_delta
    size = count_text(study.candidate_count, "private candidate")
    run = f"each run costs ε1 = {number_text(epsilon)}" + (
        f", δ1 = {number_text(delta)}" if delta else ""
    )
    if isinstance(study, ChoiceStudy):
        total = study.total_or_error(study.rule)
        price = (
            "" if isinstance(total, ParameterError) else f" for ε = {format_price(total)} in total"
        )
        naive = upper_bound_text(naive_epsilon(study.candidate_count, epsilon))
        return (
            f"Which of {size} is best{price}?",
            (
                f"{rule_description(study.rule.name).does} The best of one run each would cost ε ="
                f" {naive}."
            ),
            f"{study.name} · {rule_with_parameters(study.rule)} · {run}",
        )
    if study.settings.view == "leaks":
        return LEAKS, LEAKS_LEAD, f"Exact chances in two worst cases · {run}"
    return (
        f"Which of {size} is good often enough?",
        (
            "The search names a candidate, not a run. Its cost does not grow with the number of"
            " candidates asked."
        ),
        f"{study.name} · Percentile sparse vector · {run}",
    )


def describe_settings(study: RunsStudy) -> ShownMechanism:
    if study.settings.view == "leaks":
        return ShownMechanism(mechanism="Runs compared", settings=_of_run(study))
    if isinstance(study, ChoiceStudy):
        return describe_rule(study, study.rule)
    return ShownMechanism(
        mechanism="Percentile sparse vector", settings=(("Candidates", study.name), *_of_run(study))
    )


def describe_rule(study: RunsStudy, rule: CandidateRule) -> ShownMechanism:
    """The rule on the candidates, with its total where a theorem gives one."""
    run = (("Candidates", study.name), *_of_run(study))
    if isinstance(total := study.total_or_error(rule), ParameterError):
        return ShownMechanism(mechanism=rule_with_parameters(rule), settings=run)
    epsilon, delta = map(upper_bound_text, total)
    return ShownMechanism(
        mechanism=rule_with_parameters(rule),
        settings=(*run, ("Total ε", epsilon), ("Total δ", delta)),
    )


def _of_run(study: RunsStudy) -> tuple[tuple[str, str], ...]:
    epsilon, delta = study.run_epsilon_and_delta
    return ("ε1 of one run", f"{epsilon:.10g}"), ("δ1 of one run", f"{delta:.10g}")


def run_law_headline(
    name: str, value: str, meaning: str, source: common.FigureSource | None, study: RunsStudy
) -> common.Headline:
    """A figure that is exact for the law of the runs at hand."""
    remark = "It is exact for the runs that were made." if study.is_empirical else ""
    return common.Headline(name, value, meaning, source, remark)


_BEST_BY_CHANCE = (
    "The published run may score more, as it is the best of many on the people who score them. Part"
    " of that is chance, and would not repeat with other people."
)


def run_law_caveat(study: RunsStudy, *, ties: bool = True) -> str:
    shared = (
        "Ties are settled at random, so equal scores share their chance in proportion to their"
        " runs."
    )
    if not study.is_empirical:
        return f"The chances are as typed. {shared if ties else ''}"
    note = study.runs.note
    return (
        "ε is for new runs, made for a release. Here each new run is drawn, with replacement, from"
        f" the runs that were made for this page. {shared if ties else ''}"
        + (f" {note[:1].upper()}{note[1:]}. {_BEST_BY_CHANCE}" if note and ties else "")
    )


def file_disclosure(study: RunsStudy) -> str:
    if study.settings.view == "leaks":
        return "The file shows two worst cases and no data."
    if study.settings.pool == "built_in":
        return MADE_UP
    return (
        "The file contains the candidates' names, and the mean and the distribution of their"
        " scores, but no person. These figures are only as private as all runs together."
    )
