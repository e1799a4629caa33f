"""The sections of the page on neighbours, from the sentence that matters most to a hundred guessers."""

import math
from collections.abc import Callable

import streamlit as st

from dpviz import charts
from dpviz.charts.privacy.delta_curve import delta_curve
from dpviz.charts.privacy.hundred import Part, hundred, shared_out
from dpviz.charts.privacy.loss_law import loss_law
from dpviz.charts.privacy.two_lists import frequency_base, frequency_sentence, told_apart, two_lists
from dpviz.charts.words import as_typed, label, number, percent, trimmed
from dpviz.privacy.inclusion import Chances
from dpviz.privacy.loss import Ceiling, PrivacyLoss
from dpviz.privacy.odds import guess_bound, posterior_bound
from dpviz.ui.neighbours.person import counts_in
from dpviz.ui.neighbours.settings import PAGE
from dpviz.ui.neighbours.study import Study
from dpviz.ui.shell import page
from dpviz.ui.shell.badges import at_least, estimated, exact
from dpviz.ui.shell.explain import explain
from dpviz.ui.shell.show import card, cards, heading, show, waiting
from dpviz.ui.shell.text import bidi, three

__all__ = ["figures", "guesses", "lists", "losses", "there", "title"]

_CEILING = "The ceiling holds for everyone: whatever one person's data are, no loss is larger."


def there(study: Study) -> Callable[[], object]:
    """How much has come, for the parts of the page."""

    def known() -> object:
        search = 0 if study.search is None else study.search.number
        return study.over, search if study.pair is None else 0, 0 if study.job is None else study.job.look()

    return known


def title(study: Study) -> None:
    """Whose data, and what they change of one item's chance."""
    if study.first is not None and study.pair is None and study.over and _found(study):
        st.rerun()  # the search has ended, or the pool is made: the page goes on with what was found
    subject = study.subject
    of = "ε1" if subject.scores is None else "ε"
    head = f"What one person's data change, at {of} = {subject.epsilon:.10g}"
    lead = f"{_lead(study)} {counts_in(study)}".strip()
    if subject.scores is None:
        asked = subject.asked
        name = "" if asked is None else f"{asked.name} · "
        st.html(
            f'<div class="dp-over">Neighbours</div><h1 class="dp-title">{head}</h1><p class="dp-lead">{lead}</p>'
            f'<p class="dp-sub">{name}{subject.label} · one person changes every run by as much as ε1 allows</p>'
        )
        return
    page.title(subject.scenario, subject.scores, "Neighbours", lead, subject.label, head)


def _found(study: Study) -> bool:
    made = study.first is not None and "made" in study.first.results
    return made or (study.search is not None and study.search.pair is not None)


def _lead(study: Study) -> str:
    if study.pair is None:
        return "Looking for the person whose data show most." if study.search else "Candidates are being run."
    if study.chances is None:
        return ""
    first, second = study.chances
    base = frequency_base(first.value, second.value, _error(study.chances))
    most = told_apart(first.value, second.value, base)
    p, q = (float(side.value[most]) for side in (first, second))
    family = study.subject.family
    name = label(study.scores.label(most), 30)
    return frequency_sentence(name, p, q, base, study.worlds, family.noun, family.verb)


def _error(chances: tuple[Chances, Chances]) -> float:
    return max(float((side.high - side.low).max()) / 2 for side in chances)


def figures(study: Study) -> None:
    """The privacy loss beside its ceiling, as odds, as guesses."""
    loss = study.loss
    if study.pair is None and study.search is not None:
        loss = study.search.loss
    if loss is None:
        names = ("Privacy loss", "Odds", "A guesser is right", "On average")
        cards((card(name, None, "", "") for name in names), "Figures of the privacy loss")
        return
    least = "" if loss.method == "exact" else "≥ "
    told = _badge(loss)
    ceiling = loss.ceiling
    allowed = f" of {number(ceiling.epsilon)}" if math.isfinite(ceiling.epsilon) else ""
    total = max(loss.delta(0.0), loss.reversed.delta(0.0))
    bound = 100 * _guess_ceiling(ceiling)
    shown = [
        card(
            "Privacy loss",
            f'{least}{_number(loss.largest)}<span class="dp-of">{allowed}</span>',
            "the most that one answer tells; ε is its ceiling",
            told,
        ),
        card(
            "Odds",
            f"{least}× {_times(loss.largest)}",
            "as likely in one world as in the other"
            + (f"; ε allows × {_times(ceiling.epsilon)}" if math.isfinite(ceiling.epsilon) else ""),
            "",
        ),
        card(
            "A guesser is right",
            f'{least}{100 * (1 + total) / 2:.3g}<span class="dp-of"> of 100</span>',
            f"who guesses whether she is in; a coin 50, at this ε at most {bound:.3g}",
            "",
        ),
        card("On average", f"{least}{_number(loss.mean)}", "the loss of a release, with her data", ""),
    ]
    if ceiling.delta:
        delta = max(loss.delta(ceiling.epsilon), loss.reversed.delta(ceiling.epsilon))
        shown.append(
            card(
                "δ at ε",
                f"{least}{number(delta)}",
                f"of at most δ = {number(ceiling.delta)}; what ε does not cover",
                "",
            )
        )
    cards(shown, "Figures of the privacy loss")
    if study.pair is None:
        st.html('<p class="dp-how">The largest that was found so far; the search goes on.</p>')


def _badge(loss: PrivacyLoss) -> str:
    if loss.method == "exact":
        return exact(loss.error, f" {_CEILING}")
    return at_least(f"A certified lower bound, from events whose chances are known in both worlds. {_CEILING}")


def _number(value: float) -> str:
    return "∞" if value == math.inf else three(value) if value > 1e-9 else "0"


def _times(loss: float) -> str:
    return "∞" if loss > 700 else three(math.exp(loss))


def _guess_ceiling(ceiling: Ceiling) -> float:
    return guess_bound(ceiling.epsilon, ceiling.delta) if math.isfinite(ceiling.epsilon) else 1.0


def lists(study: Study, look: charts.Look) -> None:
    """Two lists side by side."""
    if study.pair is None or study.chances is None:
        waiting("The two lists")
        return
    first, second = study.chances
    chart = two_lists(
        study.labels,
        study.order,
        first.value,
        second.value,
        study.pair.moved,
        worlds=study.worlds,
        noun=study.subject.family.noun,
        verb=study.subject.family.verb,
        hers="an item that she counts in" if study.subject.scores else "a candidate whose runs she makes better",
        error=_error(study.chances),
        look=look,
    )
    show(chart, "two_lists", brief=True)
    if first.draws:
        st.html(f'<p class="dp-how">{estimated(f"From {first.draws:,} draws in each world.", "")}</p>')


def losses(study: Study, look: charts.Look) -> None:
    """The law of the privacy loss, and δ(ε')."""
    heading("How much an answer tells")
    if study.loss is None:
        waiting("The privacy loss")
        return
    show(loss_law(study.loss, worlds=study.worlds, look=look), "loss_law")
    st.html(f'<p class="dp-how">What tells most: {bidi(trimmed(study.loss.output.text, 200))}.</p>')
    explain("privacy_loss", "epsilon", "delta", "neighbour")
    heading("What a smaller ε would leave over")
    curve = study.curve
    if curve is None:
        waiting("δ at each ε")
        return
    exactly = study.loss.method == "exact"
    chart = delta_curve(
        curve.epsilons,
        curve.forth,
        curve.back,
        worlds=study.worlds,
        largest=study.loss.largest,
        exact=exactly,
        look=look,
    )
    show(chart, "delta_curve")


def guesses(study: Study, look: charts.Look) -> None:
    """What a guesser could be right about."""
    heading("What a guesser could be right about")
    loss = study.loss
    if loss is None:
        waiting("A hundred guessers")
        return
    total = max(loss.delta(0.0), loss.reversed.delta(0.0))
    person, all_people = (1 + total) / 2, max(_guess_ceiling(loss.ceiling), (1 + total) / 2)
    luck, hers, anyone, wrong = shared_out([0.5, person, all_people, 1.0])
    least = "" if loss.method == "exact" else "at least "
    parts = [
        Part(luck, "are right by tossing a coin"),
        Part(hers, f"more are right{', at least,' if least else ''} by the best use of one release"),
        Part(anyone, "more could be right about somebody else"),
        Part(wrong, "are wrong, whatever they do"),
    ]
    says = (
        f"Of 100 who guess whether {_subject(study)}, {least}{50 + hers} can be right; "
        f"about nobody more than {50 + hers + anyone}."
    )
    how = "A guesser knows everything but whether the one person is in the data, sees one release, and guesses."
    show(hundred(parts, says, how, look=look), "hundred")
    _beliefs(study, loss)


def _subject(study: Study) -> str:
    return "she or the other one is in the data" if study.replaced else "she is in the data"


def _beliefs(study: Study, loss: PrivacyLoss) -> None:
    """What a belief can become."""
    prior = study.settings.prior
    PAGE.percent_box("prior", prior, "Held for likely beforehand, %", (1.0, 99.0), step=5.0, width=260)
    start = f"Someone who held it for {as_typed(prior)} likely that {_subject(study)}"
    if loss.ceiling.delta or not math.isfinite(loss.ceiling.epsilon):
        st.html(
            f'<p class="dp-says">{start} may come to know it: with δ, or without a ceiling, there is no bound on what '
            "one answer can do. What guessers gain on the whole is bounded all the same, as above.</p>"
        )
        return
    most = percent(posterior_bound(prior, loss.ceiling.epsilon))
    hers = percent(posterior_bound(prior, loss.largest))
    holds = "at most" if loss.method == "exact" else "at least"
    st.html(
        f'<p class="dp-says">{start} can come to hold it for at most {most}, whatever comes out; '
        f"with her data for {holds} {hers}, after the most telling answer.</p>"
    )
