"""The percentile search: the first candidate that is good often enough; its slider moves the ε of
the whole search.
"""

from functools import partial

from dpviz.base import Progress, each, portion
from dpviz.charts import Chart, Look, as_typed, at_most, count, number, of_releases, percent
from dpviz.charts import candidates as drawn
from dpviz.pages.candidates import SEARCH, SearchStudy
from dpviz.pages.candidates.sentences import MADE_UP, figure, honest, paid, title
from dpviz.pages.common import (
    Asked,
    Headline,
    PageStep,
    Place,
    Takeaway,
    around,
    pictured,
    place,
    said_of,
    short,
)


def headlines(study: SearchStudy) -> list[Headline]:
    """What the search costs, whether it stops at a good candidate, and how many runs it makes."""
    epsilon, delta = study.search.total_epsilon()
    right, wrong = study.right_and_wrong
    cards = [
        Headline(
            "Total ε",
            at_most(epsilon),
            f"δ = {at_most(delta)}" if delta else "for the whole search",
        ),
        figure("Right", percent(right), "stops at one that reaches p*", study.law, study),
        figure("Wrong", percent(wrong), "stops at one that does not", study.law, study),
        figure("None", percent(study.law.none), "all were asked, none said yes", study.law, study),
    ]
    if study.search.samples is not None:
        cards.append(Headline("Runs", f"{study.search.samples:,}", "made for each candidate asked"))
    return cards


def steps_chart(study: SearchStudy, look: Look) -> Chart:
    """Where the search stops."""
    pool, percentile = study.runs.pool, study.search.percentile
    names = [pool.label(k) for k in range(pool.size)]
    return drawn.percentile_steps(
        names, study.chances, percentile, study.law, study.threshold, look=look
    )


def meaning(study: SearchStudy) -> str:
    """What noise the search adds, by whose theorem, and what the law is a law of."""
    rule = study.search
    said = (
        f"A run moves the log odds of a chance by at most S = {at_most(rule.sensitivity)}, so each"
        f" answer gets Laplace noise of scale 4S/ε3 = {number(rule.query_scale)} and p* of half"
        " that"
    )
    if rule.samples is None:
        said += (
            " (Liu & Talwar 2018, Theorem 4.1). It needs the chances themselves, which only an"
            " oracle knows."
        )
    else:
        said += (
            f" (Theorem 4.4). Chances come from {count(rule.samples, 'run')} of each candidate,"
            f" with D = {number(rule.offset)} runs added on either side, so that few runs cannot"
            " tell too much."
        )
    return f"{said} {honest(study, ties=False)}"


def step(study: SearchStudy, asked: Asked) -> PageStep:
    """The search under the hand, at the price that the study has of one run."""
    study.compute(asked.progress, "runs", "law")
    heading, lead, below = title(study)
    right, _ = study.right_and_wrong
    return PageStep(
        said={"heading": heading, "lead": lead, "sub": below, "noise": meaning(study)}
        | said_of(headlines(study)),
        charts={"percentile": steps_chart(study, asked.look)},
        lead=f"It stops at one that reaches p* in {of_releases(right)}.",
        height=right,
    )


def slider(study: SearchStudy, progress: Progress) -> Takeaway:
    """The first candidate that is good often enough, by the ε of the whole search."""
    runs, values = (
        study.compute(portion(progress, 0.0, 0.2), "runs").runs,
        around(study.search.epsilon),
    )

    def at(epsilon: float) -> SearchStudy:
        return study.changed(**{SEARCH.prefix + "epsilon": epsilon}).replace(results={"runs": runs})

    return Takeaway(
        title=f"{study.name}: the first that is good often enough",
        lead=(
            f"{count(study.size, 'candidate')} are asked in order: does a run of yours score at"
            f" least {number(study.threshold)} with a chance of"
            f" {as_typed(study.search.percentile)}?"
        ),
        moves="ε of the whole search",
        steps=tuple(
            _searched(at(value).compute(part))
            for value, part in each(values, portion(progress, 0.2, 1.0))
        ),
        start=values.index(study.search.epsilon),
        heads=(
            ("Total ε", "for the whole search"),
            ("Right", "stops at one that reaches p*"),
            ("Wrong", "stops at one that does not"),
            ("None", "all were asked, none said yes"),
        ),
        charts=("Where the search stops",),
        note=(
            MADE_UP
            if study.settings.pool == "built_in"
            else (
                "It holds the names of the candidates and how often their runs reach the threshold."
            )
        ),
    )


def _searched(study: SearchStudy) -> Place:
    (right, wrong), epsilon = study.right_and_wrong, short(study.search.epsilon)
    said = (
        f"At ε = {epsilon} the search names one that truly reaches p* in {of_releases(right)} "
        f"(exact, error at most {at_most(max(study.law.error, 1e-16))})."
    )
    cells = [
        paid(study.search.total_epsilon()),
        percent(right),
        percent(wrong),
        percent(study.law.none),
    ]
    return place(epsilon, said, [cells], pictured(partial(steps_chart, study)))
