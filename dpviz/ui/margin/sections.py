"""The sections of the page on front groups, from the sentence that matters most to the theorems."""

import streamlit as st

from dpviz import charts
from dpviz.charts.margin.margin_items import margin_items
from dpviz.charts.margin.margin_promise import margin_limits, margin_promise
from dpviz.charts.margin.margin_scores import margin_scores
from dpviz.charts.margin.margin_universe import margin_universe
from dpviz.charts.words import number, of_releases, percent, power, whole
from dpviz.margin.compared import COMPARED
from dpviz.margin.front_group import Limits
from dpviz.margin.one_item import TopOneLaw
from dpviz.ui.margin.settings import FIRST, MOST_PEOPLE, negative, page_for
from dpviz.ui.margin.study import Study
from dpviz.ui.shell import page, state
from dpviz.ui.shell.badges import exact
from dpviz.ui.shell.controls import number_box
from dpviz.ui.shell.explain import explain, lines
from dpviz.ui.shell.show import card, cards, folded, heading, show, waiting
from dpviz.ui.shell.text import plain

_SAME = 5e-4  # a difference in chance that is none
_WITH_ARTICLE = {
    "gumbel": "the exponential mechanism",
    "laplace": "max of Laplaces",
    "instability": "the instability test",
}

__all__ = ["figures", "front", "items", "promise", "title", "universe"]


def title(study: Study) -> None:
    """What is looked at, and whether large margin is worth having there."""
    scenario, settings = study.scenario, study.settings
    page.title(
        scenario,
        study.scores,
        "Margin",
        _verdict(study),
        f"Large margin at δ = {number(settings.delta)}",
        f"One of {whole(settings.universe)} items, chosen privately at ε = {scenario.epsilon:.10g}",
    )


def _verdict(study: Study) -> str:
    """Whether large margin beats the best of the others here, and beyond which size of the universe it would."""
    laws = study.laws
    if laws is None or "half" not in study.job.results:
        return ""
    good = {rule: law.near_best(study.settings.good) for rule, law in laws.items()}
    what = "a good item"
    if max(good.values()) - good["large_margin"] < _SAME:
        rival = max((rule for rule in good if rule != "large_margin"), key=good.__getitem__)
        if good["large_margin"] - good[rival] < _SAME:  # all are good enough, so the best one decides
            good, what = {rule: law.best for rule, law in laws.items()}, "the best item"
    own = good.pop("large_margin")
    rival = max(good, key=good.__getitem__)
    worth = own > good[rival] + _SAME
    told = (
        f"{'Worth' if worth else 'Not worth'} having here: large margin gives {what} in {of_releases(own)}, "
        f"{_WITH_ARTICLE[rival]} in {of_releases(good[rival])}."
    )
    return told + _turning_point(study, laws["large_margin"], worth)


def _turning_point(study: Study, law: TopOneLaw, worth: bool) -> str:
    half = study.job.results["half"]
    if half is None or study.front is None:
        return ""
    if worth:
        return f" Below about {power(half)} items the exponential mechanism would do as well, without a δ."
    if study.front.rank is None:
        return " The scores do not fall as far as large margin asks."
    if law.near_best(study.settings.good) <= 0.5:
        return ""
    return f" It would be from about {power(half)} items on, where the exponential mechanism is down to one half."


def figures(study: Study) -> None:
    """The headline figures of large margin, and the exponential mechanism's chance beside them."""
    law, pure, group = study.law("large_margin"), study.law("gumbel"), study.front
    good = number(study.settings.good)
    shown = [
        card("Best item", _percent(law, "best"), "comes out of large margin", _badge(law)),
        card(
            "Good item",
            None if law is None else percent(law.near_best(study.settings.good)),
            f"at most {good} below the best",
            _badge(law),
        ),
        _group_card(law),
        _drop_card(study, group is not None),
        card("Exponential", _percent(pure, "best"), "the best item comes out of it, at the same ε", _badge(pure)),
    ]
    cards(shown)


def _percent(law: TopOneLaw | None, figure: str) -> str | None:
    return None if law is None else percent(getattr(law, figure))


def _badge(law: TopOneLaw | None) -> str:
    return "" if law is None else exact(law.error)


def _group_card(law: TopOneLaw | None) -> str:
    if law is None or law.rank_law is None:
        return card("Front group", None, "the size that large margin settles on", "")
    size = int(law.rank_law.argmax()) + 1
    chance = float(law.rank_law[size - 1])
    if law.beyond > chance:
        return card("Front group", "none", f"unlisted items get in, in {percent(law.beyond)} of releases", _badge(law))
    return card(
        "Front group", f"{size:,}", f"{'item' if size == 1 else 'items'}, in {percent(chance)} of releases", _badge(law)
    )


def _drop_card(study: Study, known: bool) -> str:
    group = study.front
    if not known or group is None:
        return card("Drop", None, "after the front group", "")
    at = int((group.margin - group.drop).argmin()) if group.rank is None else group.rank - 1
    drop, margin = number(float(group.drop[at])), number(round(float(group.margin[at])))
    where = f"after the top {at + 1:,}" if at else "after the best item"
    return card("Drop", drop, f"{where}; {margin} is asked", "")


def front(study: Study, look: charts.Look) -> None:
    """Where the scores drop away."""
    heading("Where the scores drop away")
    law, group = study.law("large_margin"), study.front
    if law is None or group is None:
        waiting("The front group")
        return
    show(margin_scores(study.scores, group, law, look=look), "margin-scores")
    if group.rank is None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("A larger ε or δ asks for a smaller margin.")
            st.button("Show an example with a clear front group", on_click=_show_example, type="tertiary")


def _show_example() -> None:
    state.change("page", data=FIRST.data, epsilon=FIRST.epsilon, k=FIRST.k, scores=None, page={})


def items(study: Study, look: charts.Look) -> None:
    """Which item comes out, by rule."""
    heading("Which item comes out, by mechanism")
    laws = study.laws
    if laws is None:
        waiting("The chance of each item")
        return
    for rule, why in study.refused.items():
        st.info(plain(f"{COMPARED.label(rule)} is left out: {why}"), icon=":material/info:")
    show(margin_items(study.scores, laws, look=look), "margin-items")
    lines(COMPARED, summary="What these mechanisms are, and when to take which")
    explain("universe", "front_group", "distance", "epsilon", "delta", "sensitivity", "release")
    st.html(f'<p class="dp-how">{_units(study)}</p>')


def _units(study: Study) -> str:
    """What scores are divided by, which is not the same for all."""
    scores = study.scores
    start = f"Large margin divides scores by the sensitivity Δ = {scores.sensitivity:g} whoever the neighbours are."
    pure = "exponential mechanism and max of Laplaces"
    if scores.monotonic:
        return (
            f"{start} The {pure} divide by Δ/2, since one person added or removed moves all scores the same way: that "
            "is worth a factor of two in ε to them. For the instability test one person then changes the lead by Δ, "
            "else by 2Δ."
        )
    return f"{start} Here the {pure} do so too; were one person added or removed they would divide by Δ/2."


def universe(study: Study, look: charts.Look) -> None:
    """What a larger universe does."""
    line = "What a larger universe does: the chance of a good item, from the listed items on, for each mechanism"
    folded(line, "universe", lambda: _universe(study, look))


def _universe(study: Study, look: charts.Look) -> None:
    if negative(study.scores):
        st.html(
            '<p class="dp-how">Some scores are below zero, so unlisted items of score zero would not come last, and '
            "there is no larger universe to look at. Shift the scores so that zero is the least an item can have.</p>"
        )
        return
    curves = study.curves
    if curves is None or "far" not in study.job.results:
        waiting("The curve over the universe")
        return
    known, settings = study.job.results, study.settings
    chart = margin_universe(curves, known["far"], settings.universe, settings.good, known["half"], look=look)
    show(chart, "margin-universe")


def promise(study: Study, look: charts.Look) -> None:
    """The theorems beside the exact figures."""
    line = "What the theorems say beforehand: how far below the best the item may be, and what nobody can beat"
    folded(line, "promise", lambda: _promise(study, look))


def _promise(study: Study, look: charts.Look) -> None:
    known = study.job.results
    if "limits" not in known:
        waiting("The bounds")
        return
    show(margin_promise(known["closeness"], known["promised"], look=look), "margin-promise")
    bounds: Limits | str = known["limits"]
    if isinstance(bounds, str):
        st.html(f'<p class="dp-how">{bounds}</p>')
        return
    _people(study)
    show(margin_limits(bounds, study.scenario.epsilon, study.settings.people, look=look), "margin-limits")


def _people(study: Study) -> None:
    people = study.settings.people
    page = page_for(study.scenario, study.scores)
    number_box(
        "People in the data, for the lower bounds",
        people,
        lambda given: page.change(people=given),
        "margin.people",
        called="The number of people",
        low=2,
        high=MOST_PEOPLE,
        width=340,
        help="The lower bounds never pass half of the people.",
    )
