"""Deployments: a picture, an entry in plain words, a table, and files of one's own.

All settings stand in the address, and nowhere else.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from dpviz.base import Markup, markup
from dpviz.charts import Look, chance_by_count_chart
from dpviz.data.deployments import (
    ENDINGS,
    LICENCE,
    Deployment,
    public_deployments,
    read_deployment_upload,
)
from dpviz.pages.deployments import sentences, view
from dpviz.studies.deployments import DeploymentFigures, deployment_figures
from dpviz.web import widgets as ui
from dpviz.web.session import SessionValue, run_deferred_work, state
from dpviz.web.widgets import print_header

_WHERE = "deployments"
_COLUMNS = (
    "What",
    "Who",
    "Unit",
    "Per",
    "As stated",
    ("One unit", "right of 100, at most"),
    ("A year", "right of 100, at most"),
    "Model",
    "Source",
)
# entries that a person added, by their slug
_OWN: SessionValue[dict[str, Deployment]] = SessionValue("deployments", dict)


def show_page(look: Look) -> None:
    run_deferred_work()
    entries = {one.slug: one for one in public_deployments()} | _OWN.value
    query = _read_query(entries)
    shown = view.filtered_figures(entries.values(), query.get("unit"), query.get("kind"))
    print_header.set_provenance_without_scenario(
        tuple(query.items()), None, query | state.presenter_query()
    )
    ui.show_page_head("Decide", view.TITLE, sentences.lead_sentence(shown), sentences.CAUTION)
    ui.show_notice(_WHERE)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        for name, values in view.filter_choices(entries.values()).items():
            _menu(name, name.capitalize(), {one: one for one in values}, query)
        _menu(
            "entry",
            "Read one",
            {one.deployment.slug: one.deployment.name for one in shown},
            query,
            every="none",
            width=340,
        )
    if (entry := entries.get(query.get("entry", ""))) is not None:
        _show_entry(deployment_figures(entry), look)
    if any(one.guess for one in shown):
        ui.show_first_chart(
            view.deployment_guesses_chart(shown, look, query.get("entry")), "deployments"
        )
    _show_table(shown, query)
    with ui.fold("deployments_own", "Add entries of your own") as opened:
        if opened:
            _show_upload()
    ui.show_paragraph(LICENCE, "note")


def _read_query(entries: dict[str, Deployment]) -> dict[str, str]:
    """Settings in the address; what is not known there counts as not given."""
    allowed: dict[str, Collection[str]] = {"entry": entries, "sort": view.SORTS}
    allowed |= view.filter_choices(entries.values())
    given = st.query_params.to_dict()
    return {name: given[name] for name in allowed if given.get(name) in allowed[name]}


def _write_query(name: str, value: str, query: dict[str, str]) -> None:
    kept = {key: each for key, each in {**query, name: value}.items() if each}
    st.query_params.from_dict(kept | state.presenter_query())


def _menu(
    name: str,
    label: str,
    choices: dict[str, str],
    query: dict[str, str],
    *,
    every: str = "all",
    **more: Any,
) -> None:
    """A menu of a setting in the address, with a first choice that leaves it out."""
    options = ["", *choices] if every else [*choices]
    value = query.get(name, options[0])
    if value not in options:  # the open entry is filtered out
        options.append(value)
    ui.menu(
        label,
        options,
        value,
        lambda chosen: _write_query(name, chosen, query),
        f"deployments.{name}",
        names=lambda one: choices.get(one, one) if one else every,
        **{"width": 220, **more},
    )


def _show_entry(figures: DeploymentFigures, look: Look) -> None:
    of = figures.deployment
    ui.heading(of.name)
    with st.container(border=True, key="deployment_entry"):
        if of.description:
            ui.show_paragraph(of.description)
        ui.show_bullets(sentences.promise_sentences(figures))
        if figures.rule is not None:
            ui.show_chart(
                chance_by_count_chart(figures.rule, look=look),
                "deployment_counts",
                help_folded=True,
            )
        _show_trial(of)
        with ui.fold("deployment_details", "Details") as opened:
            if opened:
                _show_details(figures)


def _show_trial(deployment: Deployment) -> None:
    """Offer Explore with the parameters that can be computed there."""
    if (trial := view.trial_button_and_changes(deployment)) is None:
        return
    label, changes = trial
    if st.button(label, icon=":material/grid_on:", key="deployment_try"):
        state.change_scenario(
            **changes, **(_limit_of_items(deployment) if "designs" in changes else {})
        )
        ui.switch_to_page("explore")


def _limit_of_items(deployment: Deployment) -> dict[str, Any]:
    """Data on which one person counts in as few items as the noise covers, if no limit was said."""
    now = state.scenario()
    if (
        deployment.contributions is None
        or now.needs_data
        or state.scores(now).contributions is not None
    ):
        return {}
    data = replace(now.data, contributions=min(deployment.contributions, state.scores(now).d))
    return {"data": data, "scores": now.scores and data.with_person_metadata(now.scores)}


def _show_details(figures: DeploymentFigures) -> None:
    ui.show_bullets(sentences.expert_parameter_sentences(figures))
    sources = markup("<br>").join(map(_source_link, figures.deployment.sources))
    rows = (*view.fact_rows(figures), ("Sources", sources))
    ui.show_table(
        "What is stated",
        ("Fact", "As stated"),
        [(ui.Cell(name, "dp-who"), said) for name, said in rows],
        "dp-facts",
    )
    if figures.deployment.notes:
        ui.show_paragraph(figures.deployment.notes, "note")


def _source_link(address: str, text: str = "") -> Markup:
    return markup(
        '<a href="{}" target="_blank" rel="noopener">{}</a>',
        address,
        text or urlsplit(address).hostname,
    )


def _show_table(deployments: Sequence[DeploymentFigures], query: dict[str, str]) -> None:
    ui.heading("All of them")
    orders = {name: label for name, (label, _) in view.SORTS.items()}
    _menu("sort", "Sort by", orders, query, every="")
    order = query.get("sort", next(iter(view.SORTS)))
    ui.show_table(
        "Deployments",
        _COLUMNS,
        [
            (
                ui.Cell(ui.isolate_bidi(row[0]), "dp-who"),
                *row[1:],
                _source_link(sources[0], "source") if sources else sentences.NOT_STATED,
            )
            for row, sources in view.deployment_cells_and_sources(deployments, order)
        ],
        "dp-deployments",
    )


def _show_upload() -> None:
    ui.show_paragraph(
        "A YAML file in the registry's schema, or the JSON of a decision sheet. It stays in this"
        " session."
    )
    ui.uploader("Files", "deployments_files", _take, endings=ENDINGS, several=True)
    for slug, own in _OWN.value.items():
        ui.button(
            f"Remove {ui.escape_markdown(own.name)}",
            f"deployment_remove_{slug}",
            _OWN.value.__delitem__,
            slug,
            type="tertiary",
        )


def _take(name: str, content: bytes) -> None:
    with state.report_refusals(_WHERE, f"{name} is not used. "):
        read = read_deployment_upload(name, content)
        _OWN.value[read.slug] = read
