"""The sidebar of Compare: two to six designs, each with its own letter, colour, dash and marker."""

from urllib.parse import quote

import streamlit as st

from dpviz.base import Markup, join_markup, markup
from dpviz.charts import percent
from dpviz.charts.look import LIGHT, MOST_DESIGNS, design_identity
from dpviz.pages.compare.study import LEAST, STARTING, ComparedDesign, CompareSettings, Sentence
from dpviz.studies import DeclaredParameters, Design, Scenario, read_if_ready
from dpviz.topk import TOP_K
from dpviz.web import widgets as ui
from dpviz.web.session import state

PAGE = ui.PageParameters(DeclaredParameters(CompareSettings))
_DASH = {
    "solid": "",
    "dash": "7 4",
    "dot": "2 3",
    "dashdot": "7 3 2 3",
    "longdash": "11 4",
    "longdashdot": "11 3 2 3",
}
_SHAPES = {
    "circle": '<circle cx="16" cy="7" r="4.2"/>',
    "diamond": '<path d="M16 1.6 21.4 7 16 12.4 10.6 7z"/>',
    "square": '<rect x="12.1" y="3.1" width="7.8" height="7.8"/>',
    "triangle-up": '<path d="M16 2 21 11H11z"/>',
    "x": (
        '<path d="M12 3l1.6-1.6L16 3.9l2.4-2.5L20 3l-2.5 4 2.5 4-1.6 1.6-2.4-2.5-2.4 2.5L12'
        ' 11l2.5-4z"/>'
    ),
    "star": '<path d="M16 1l1.8 4 4.2.4-3.2 2.8 1 4.2L16 10.2l-3.8 2.2 1-4.2L10 5.4l4.2-.4z"/>',
}


def bring_design_count_in_range() -> None:
    """Bring the scenario to two to six designs; the usual ones join a single one."""
    given = state.scenario().designs
    others = (design for design in STARTING if design not in given)
    wanted = given if len(given) >= LEAST else (*given, *others)[: len(STARTING)]
    if len(given) > MOST_DESIGNS:
        state.set_notice(
            "page",
            f"{len(given)} mechanisms were given. Only the first {MOST_DESIGNS} are compared.",
        )
    if wanted[:MOST_DESIGNS] != given:
        state.change_without_undo(designs=wanted[:MOST_DESIGNS])


def show_design_editors(scenario: Scenario) -> None:
    ui.show_side_heading("Mechanisms")
    for number, design in enumerate(scenario.designs):
        letter = design_identity(number, LIGHT).letter
        name = design.label_for_data(scenario.k, scenario.data.contributions)
        with (
            st.container(key=f"design_{letter}"),
            st.popover(
                f"**{letter}** {ui.escape_markdown(name)}",
                width="stretch",
                key=f"design_{number}.box",
            ),
        ):
            key, several = f"design_{number}", len(scenario.designs)
            ui.design_editor(number, design, f"{key}.")
            with st.container(horizontal=True):
                ui.button(
                    "Duplicate",
                    f"{key}.duplicate",
                    _repeat,
                    number,
                    2,
                    icon="content_copy",
                    disabled=several >= MOST_DESIGNS,
                )
                ui.button(
                    "Remove",
                    f"{key}.remove",
                    _repeat,
                    number,
                    0,
                    icon="close",
                    disabled=several <= LEAST,
                )
    if len(scenario.designs) < MOST_DESIGNS:
        ui.button("Add a mechanism", "design_add", _add, icon="add", width="stretch")
    ui.show_notice("designs")


def _add() -> None:
    """Add the first usual design that is missing, else the last one again."""
    now = state.scenario().designs
    # one-shot with its usual noise has the law of peeling
    usual = (*STARTING, *(Design(mechanism=name) for name in TOP_K if name != "one_shot"))
    new = next((design for design in usual if design not in now), now[-1])
    state.change_scenario("designs", designs=(*now, new))


def _repeat(number: int, times: int) -> None:
    """Repeat the design with this number: twice, or not at all."""
    now = state.scenario().designs
    state.change_scenario(
        "designs", designs=now[:number] + now[number : number + 1] * times + now[number + 1 :]
    )


def design_colour(number: int) -> str:
    """Colour of the design with this number, as CSS that follows the theme."""
    return f"var(--dp-designs-{number % MOST_DESIGNS})"


def _mask(number: int) -> str:
    """Rule that gives the mark its shape; as a mask its colour can follow the theme."""
    who = design_identity(number, LIGHT)
    dash = f' stroke-dasharray="{_DASH[who.dash]}"' if _DASH[who.dash] else ""
    drawn = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="14" viewBox="0 0 32 14">'
        f'<path d="M0 7h32" stroke="black" stroke-width="2.2"{dash}/>{_SHAPES[who.marker]}</svg>'
    )
    return (
        f".dp-mark-{number} {{ background: {design_colour(number)}; "
        f'mask: url("data:image/svg+xml,{quote(drawn)}") center / contain no-repeat; }}'
    )


def figure_bar_html(
    design_number: int, figure: object, bar_share: float, live_bar: object = ""
) -> Markup:
    """A figure over a bar of this share of its cell; `live_bar` is live text that previews move."""
    return markup(
        '<div class="dp-cell">{}</div><div class="dp-bar" aria-hidden="true"><i'
        ' style="{}">{}</i></div>',
        figure,
        f"width: {100 * bar_share:.3g}%; background: {design_colour(design_number)}",
        live_bar,
    )


def chance_cell(design: ComparedDesign, event: str, live_name: str) -> Markup:
    """Chance of an event over its bar, and its range where it is estimated; it follows at
    `live_name`.
    """
    law, name, at = design.law, f"{live_name}-{design.number}", design.at
    if (chance := read_if_ready(lambda: law.event_probability[event])) is None:
        return ui.WAIT
    value, bar = ui.live_text(name, percent(*chance), at), ui.live_text(f"bar-{name}", "", at)
    figure = figure_bar_html(design.number, value, chance.value, bar)
    if law.distribution.method == "exact":
        return figure
    return figure + markup(
        '<small class="dp-range">{}</small>',
        ui.live_text(f"range-{name}", f"{percent(chance.low)} to {percent(chance.high)}", at),
    )


def design_style_rules() -> str:
    edges = "".join(
        f".st-key-design_{design_identity(i, LIGHT).letter} button"
        f" {{ border-left: 4px solid {design_colour(i)}; "
        "justify-content: flex-start; text-align: left; }"
        for i in range(MOST_DESIGNS)
    )
    return edges + "".join(map(_mask, range(MOST_DESIGNS)))


def sentence_html(sentence: Sentence) -> Markup:
    return join_markup(
        part
        if isinstance(part, str)
        else markup(
            '<b style="color: {}">{}</b> {}',
            design_colour(part.number),
            design_identity(part.number, LIGHT).letter,
            part.label,
        )
        for part in sentence
    )


def design_cell(design: ComparedDesign) -> ui.Cell:
    number = design.number
    cell = markup(
        '<span class="dp-mark dp-mark-{}"></span><b class="dp-letter" data-design="{}"'
        ' style="color: {}">{}</b> <span>{}</span>{}',
        number,
        number,
        design_colour(number),
        design_identity(number, LIGHT).letter,
        design.label,
        ui.law_badge(read_if_ready(lambda: design.law.distribution)),
    )
    if not guarantee_holds_for_names(design):
        cell += markup(' <small class="dp-why">needs a catalogue</small>')
    return ui.Cell(cell, "dp-who")


def guarantee_holds_for_names(design: ComparedDesign) -> bool:
    """Say if the mechanism's guarantee holds for names as these."""
    return design.law.mechanism.guarantee_holds(design.law.scores.names_known)
