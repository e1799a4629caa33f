"""The controls: ε and k on the stage, designs and their parameters in the sidebar, made from declarations.

A parameter with choices becomes a menu, a bounded number a slider, any other a number box. What has a wide
range has two controls, a slider in logarithmic steps and a box for any value; both show the same value.
"""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Literal

import streamlit as st

from dpviz.base import (
    Described,
    Parameter,
    ParameterError,
    Registry,
    check_integer,
    check_number,
    markup,
    parameters_of,
)
from dpviz.charts import number
from dpviz.studies import LARGEST_SEED, Design, Scenario
from dpviz.topk import TOP_K, TopKMechanism
from dpviz.ui.shell import hand, state
from dpviz.ui.shell.paper import page_name
from dpviz.ui.shell.slider import between, slider
from dpviz.ui.shell.text import html, lines, paragraph, plain

Edit = Callable[[Any], object]
STAGE = "stage"  # where what is refused on the stage is told
MORE = ("more privacy", "more accuracy")
SMALL = tuple(float(f"{m}e{e}") for e in range(-12, -1) for m in (1, 2, 5))
"""The steps of a slider for a chance that has to be small, such as δ."""
_BOX_HIGH = 10_000.0
_SMALL_BELOW = 1e-3  # as `dpviz.charts.number` has it
_WIDEST_SLIDER = 100.0


def bound(key: str, value: object, edit: Edit, among: Collection[object] | None = None) -> dict[str, Any]:
    """What binds a control to `value`, which it is given as its default: a key, and a callback that edits it.

    `among` names the options of a menu whose words or options change: a browser that has not yet seen the
    new ones reports the old word, which is left unheard.

    Streamlit may lose a value that a script writes into a control: runs are interrupted, and the browser
    goes on reporting what it knew. So nothing is written: where the value changes other than by the
    control itself, the control is replaced by a new one under a new key, and what the old one may
    still report is left unheard. A control that was emptied is filled again.
    """
    values: dict[str, tuple[object, int]] = st.session_state.setdefault("dpviz.shown", {})
    before, number = values.get(key, (value, 0))
    number += before != value
    values[key] = (value, number)

    def changed() -> None:
        before, current = values.get(key, (None, 0))
        value = st.session_state.get(_numbered(key, number))
        if current != number or value == before:
            return
        if value is None or (among is not None and value not in among):
            values[key] = (before, number + 1)
            return
        values[key] = (value, number)  # it shows that already; should the scenario differ, it is replaced
        edit(value)

    return {"key": _numbered(key, number), "on_change": changed}


def _numbered(key: str, number: int) -> str:
    return f"{key}~{number}" if number else key


def side_heading(text: str) -> None:
    """A small heading in the sidebar."""
    html(markup('<h2 class="dp-side">{}</h2>', text))


@contextmanager
def settings(title: str, chosen: object, where: str, *, opened: bool = False) -> Iterator[None]:
    """A part of the sidebar: what is chosen, and its controls under a line that opens to them.

    It stands open where something of it is told at the place `where`, and where it is `opened`.
    """
    side_heading(title)
    paragraph(chosen, "chosen")
    with st.expander(
        f"Change: {title.lower()}", expanded=opened or state.notice(where) is not None, key=f"settings_{where}"
    ):
        yield


def notice(where: str) -> None:
    """What is to be said at this place of the sidebar."""
    sentence = state.notice(where)
    if sentence:
        st.error(plain(sentence))


def tenth(value: float) -> float:
    """A tenth of the power of ten below: what + and − of a box add."""
    return max(float(10.0 ** (math.floor(math.log10(abs(value)) + 1e-9) - 1)), 1e-300) if value else 0.1


def _ends(ends: tuple[str, str]) -> None:
    """What the two ends of a slider stand for."""
    html(markup('<div class="dp-ends"><span>{}</span><span>{}</span></div>', *ends))


def slider_and_box(
    key: str,
    value: float,
    edit: Edit,
    *,
    labels: tuple[str, str],
    helps: tuple[str | None, str | None],
    steps: Sequence[float],
    shown: Callable[[Any], str] = "{:.10g}".format,
    ends: tuple[str, str] | None = MORE,
    **limits: Any,
) -> None:
    """A slider in logarithmic steps and a box for any value; `edit` refuses what is not allowed.

    The slider has the value itself among its steps, wherever it lies; `limits` are those of the box.
    """
    st.select_slider(
        labels[0],
        options=sorted({*steps, value}),
        format_func=shown,
        value=value,
        help=helps[0],
        **bound(f"{key}_slider", value, edit),
    )
    if ends is not None:
        _ends(ends)
    number_box(labels[1], value, edit, key, help=helps[1], **limits)


def menu(
    label: str,
    options: Collection[str],
    value: str,
    edit: Edit,
    key: str,
    *,
    names: Callable[[str], str] | None = None,
    **more: Any,
) -> None:
    """A menu, whose options have the names of their registry unless `names` says others."""
    names = names or (options.label if isinstance(options, Registry) else str)
    listed = list(options)
    st.selectbox(label, listed, format_func=names, index=listed.index(value), **bound(key, value, edit, listed), **more)


def seed_box(key: str, help: str | None, label: str = "Seed", width: int | Literal["stretch"] = 150) -> int:
    """The scenario's seed."""
    seed = state.scenario().seed
    edit = partial(_edit, "page", "seed")
    number_box(label, seed, edit, key, low=0, high=LARGEST_SEED, help=help, width=width)
    return seed


def next_seed(by: int = 1) -> None:
    """Go on to the next seed, or by so many."""
    state.change(seed=(state.scenario().seed + by) % LARGEST_SEED)


def _edit(where: str, name: str, value: object) -> None:
    state.change(where, **{name: value})


def release(scenario: Scenario, *, k: bool = True) -> None:
    """k and ε on the stage: how much comes out, and at what price.

    Without `k` a page has no control for it: it is about one item only.
    """
    declared = {p.name: p for p in parameters_of(TopKMechanism)}
    of, page = hand.subject(scenario), page_name()
    stops = None if of is None else hand.stops(page, of)
    on_stage(
        "epsilon",
        scenario.epsilon,
        partial(_edit, STAGE, "epsilon"),
        stops=stops,
        mark="" if of is None or stops is None else hand.mark(page, of),
        labels=("ε, the privacy budget", "ε, exactly"),
        help="Smaller ε: one person's data change the answer less, and the answer is right less often. "
        + declared["epsilon"].help
        + " The slider goes as far as something happens on these data, the box beside it takes any value up to 10,000.",
        high=max(_BOX_HIGH, scenario.epsilon),
    )
    if k:
        items_out(scenario, partial(_edit, STAGE, "k"))


def items_out(scenario: Scenario, edit: Edit) -> None:
    """k on the stage: how many items come out."""
    d = None if scenario.needs_data else state.scores(scenario).d
    high = None if d is None else max(d - 1, scenario.k)
    why = "" if d is None else f", as there are {d:,} items"
    number_box("k, items out", scenario.k, edit, "k", called="k", low=1, high=high, why=why, where=STAGE)


def _steps(value: float) -> list[float]:
    """The steps of a slider for a budget: of 0.01 to 100, and where the value is smaller from well below it."""
    return between(min(0.01, value / 10), 100.0, value)


def on_stage(
    key: str,
    value: float,
    edit: Edit,
    *,
    labels: tuple[str, str],
    help: str | None,
    high: float,
    stops: Sequence[float] | None = None,
    mark: str = "",
) -> None:
    """A budget on the stage: a slider in logarithmic steps, its two ends told, and a box for any value.

    The page follows the slider by the steps with this `mark`, see `hand`.
    """
    slider(f"{key}_slider", labels[0], stops or _steps(value), value, edit, ends=MORE, help=help or "", mark=mark)
    number_box(
        labels[1], value, edit, key, called=labels[1].partition(",")[0], low=0.0, above=True, high=high, where=STAGE
    )


def number_box(
    label: str,
    value: float,
    edit: Edit,
    key: str,
    *,
    called: str = "",
    low: float | None = None,
    high: float | None = None,
    above: bool = False,
    why: str = "",
    where: str | None = None,
    **more: Any,
) -> None:
    """A box for a number within limits, which the box itself does not have: Streamlit turns it red without a word.

    What is refused changes nothing and is told below the box, or `where` it says: what is allowed and `why`, the box
    `called` so (else by its label).
    """
    integer = isinstance(value, int)
    called = called or label

    def given(new: Any) -> None:
        try:
            if integer:
                check_integer(called, new, low=low, high=high)
            else:
                check_number(called, new, low=low, high=high, above=above)
        except ParameterError as err:
            state.forget()
            state.tell(where or key, f"{called} must be {err.allowed}{why}, not {new:,.10g}. It stays {value:,.10g}.")
            return
        edit(new)

    step: dict[str, Any] = {"step": 1} if integer else {"step": tenth(value), "format": written(value)}
    st.number_input(label, value=value, **{**step, **more, **bound(key, value, given)})
    if where is None:
        notice(key)


def written(value: float) -> str:
    """The format of a box: one way for a small number, 1e-6, whatever its power."""
    return "%e" if 0 < abs(value) < _SMALL_BELOW else "%.10g"


def mechanism(scenario: Scenario) -> None:
    """The mechanism, from the registry, and its own parameters."""
    design = scenario.designs[0]
    with settings("Mechanism", design.label_for(scenario.k, scenario.data.contributions), "designs"):
        design_editor(0, design, "", label_visibility="collapsed")
        notice("designs")


def design_editor(number: int, design: Design, prefix: str, **more: Any) -> None:
    """The mechanism of the design with this number, and its own parameters; `prefix` of keys, `more` for the menu."""

    called, known = _called(design), state.scenario().data.names_known
    menu(
        "Mechanism",
        TOP_K,
        design.mechanism,
        lambda name: put_design(number, Design(mechanism=name)),
        f"{prefix}mechanism",
        names=lambda name: marked(called if name == design.mechanism else TOP_K.label(name), TOP_K[name], known),
        **more,
    )
    lines(TOP_K, design.mechanism)
    design_parameters(number, design, prefix)


def marked(label: str, entry: type[Described], names_known: bool) -> str:
    """The label of a mechanism in a menu, with what it needs where the names were not known beforehand."""
    return label if entry.holds(names_known) else f"{label} (needs known names)"


def put_design(number: int, design: Design) -> None:
    """Make this the scenario's design with this number."""
    now = state.scenario().designs
    state.change("designs", designs=(*now[:number], design, *now[number + 1 :]))


def design_parameters(number: int, design: Design, prefix: str) -> None:
    """The own parameters of the design with this number."""

    def edit(name: str, value: object) -> None:
        now = state.scenario().designs
        if number < len(now) and now[number].mechanism == design.mechanism:
            put_design(number, Design(mechanism=design.mechanism, parameters={**now[number].parameters, name: value}))

    own_parameters(TOP_K[design.mechanism], design.parameters, edit, f"{prefix}{design.mechanism}")


def _called(design: Design) -> str:
    """What the page calls the mechanism for these scores."""
    scenario = state.scenario()
    contributions = None if scenario.needs_data else state.scores(scenario).contributions
    return design.build(scenario.epsilon, scenario.k).called(contributions)


def own_parameters(cls: type, values: Mapping[str, Any], edit: Callable[[str, object], None], key: str) -> None:
    """The control that each declaration of `values` asks for; `edit` gets the name and the new value."""
    for declared in parameters_of(cls):
        if declared.name in values:
            _control(declared, values[declared.name], partial(edit, declared.name), f"{key}.{declared.name}")


def _control(declared: Parameter, value: Any, edit: Edit, key: str) -> None:
    label, help = declared.label, declared.help or None
    choices = declared.choices
    if choices is not None:
        names = choices.label if isinstance(choices, Registry) else lambda name: str(choices[name])
        menu(label, choices, value, edit, key, names=names, help=help)
        if isinstance(choices, Registry):
            lines(choices, value)
        return
    low, high, above = declared.low, declared.high, declared.above
    bounded = low is not None and high is not None and high - low <= _WIDEST_SLIDER
    if bounded and not above and not declared.integer:
        step = (high - low) / 100  # type: ignore[operator]
        st.slider(
            label, min_value=low, max_value=high, value=value, step=step, format="%.4g", **bound(key, value, edit)
        )
        if help:
            paragraph(help, "note")
    elif (low, above) == (0.0, True) and high is not None and high <= 1.0:  # what matters of it is its power of ten
        steps = [step for step in SMALL if step <= high]
        labels, limits = (label, f"{label}, exactly"), {"low": low, "above": True, "high": high}
        slider_and_box(
            key, value, edit, labels=labels, helps=(help, None), steps=steps, shown=number, ends=None, **limits
        )
    else:
        number_box(label, value, edit, key, low=low, high=high, above=above, help=help)
