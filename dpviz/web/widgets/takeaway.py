"""What a person takes away: the scenario's name, its link, its files, and a figure with a slider.

The figure is made beside the page when it is asked for, with its progress and a way to stop it.
Invariant: what is given away and what stays is said beside each way; a copy to circulate holds no
score and no label; what the figure's file will hold of the data is said before it is made.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode

import streamlit as st

from dpviz.base import Progress
from dpviz.base.chunked_text import InPieces
from dpviz.base.limited_process import POSSIBLE
from dpviz.data.reading import read_safely
from dpviz.export.takeaway import File, file_of
from dpviz.pages import NAMES, page_of
from dpviz.pages.candidates import Runs, RunsStudy
from dpviz.pages.common import PageView, Subject
from dpviz.studies import Pair, Scenario
from dpviz.studies.study import is_large
from dpviz.web.jobs.job import Done, Job, WorkStep
from dpviz.web.jobs.job_queue import PATIENCE, desk
from dpviz.web.jobs.process_steps import Elsewhere
from dpviz.web.session import state
from dpviz.web.session.deferred import catch_up
from dpviz.web.session.slot import Slot
from dpviz.web.widgets import data_source, print_header
from dpviz.web.widgets.browser_poll import Pace, watch
from dpviz.web.widgets.controls import bound, notice
from dpviz.web.widgets.print_header import download
from dpviz.web.widgets.text import plain

_WHOLE = "dpviz.files.whole"  # the last one is what is shown now
_ASKED: Slot[str] = Slot("takeaway", str)  # the key of what was asked for
TABLE: Slot[Runs | None] = Slot(
    "takeaway.table", lambda: None
)  # that a page about candidates chooses among
_PLACE = 9  # in the line: after all that the page itself shows
_LOOKS = Pace(0.5, 2.0)  # at the work


def show_section(scenario: Scenario) -> None:
    """The way to the link and the files."""
    if st.button("Share or save", icon=":material/link:", width="stretch", key="share"):
        state.forget()
        st.session_state.pop(_WHOLE, None)
        _share()


@st.dialog("Share or save", width="large", on_dismiss="rerun")
def _share() -> None:
    state.DIALOG.put(True)
    catch_up()  # a file that was given here: the dialog is run alone
    scenario = state.scenario()
    st.text_input(
        "Name of this scenario",
        value=scenario.name,
        placeholder="none",
        max_chars=200,
        help="It stands on prints, charts and tables, in the link and in the file.",
        **bound("scenario_name", scenario.name, lambda name: state.change("share", name=name)),
    )
    notice("share")
    _link(scenario)
    left, right = st.columns(2, gap="large")
    with left:
        _files(scenario)
    with right:
        _open()
    _figure(scenario)


def _link(scenario: Scenario) -> None:
    st.markdown("**Link to what you see**")
    st.code(print_header.link(), language=None, wrap_lines=True)
    holds = "It names no item and holds no score" + (
        ": whoever opens it is asked for the file." if scenario.data.source == "uploaded" else "."
    )
    st.caption(
        holds
        + " The address of this page is the same link. On paper: print the page from the browser."
    )


def _files(scenario: Scenario) -> None:
    st.markdown("**As a file**")
    file = print_header.shown_now().file_name("scenario")
    text = InPieces(scenario.json_pieces, 0 if scenario.scores is None else 2 * scenario.scores.d)
    download("Download scenario", text, f"{file}.json", "scenario_file_full", width="stretch")
    if scenario.scores is not None:
        st.caption("It holds the scores and labels that you loaded: treat it as you treat them.")
        download(
            "Download a copy without scores",
            scenario.to_circulate().to_json,
            f"{file}-no-scores.json",
            "scenario_copy",
            width="stretch",
        )
        st.caption(
            "To circulate: no score, no label, no seed. Whoever opens it is asked for the file."
        )


def _open() -> None:
    st.markdown("**From a file**")
    data_source.uploader("Open a scenario file", "scenario_file", _load, endings=[".json"])
    notice("scenario file")
    if st.session_state.pop(_WHOLE, False):
        st.rerun()


def _load(name: str, content: bytes) -> None:
    with state.refusals("scenario file", f"{name} was not opened: "):
        state.replace(read_safely(name, Scenario.from_json, content))
        data_source.FROM.put(name)
        st.session_state[_WHOLE] = True


def _figure(scenario: Scenario) -> None:
    """The part of the dialog, on pages of which there is such a figure."""
    name = print_header.page_name()
    page = page_of(name) if name in NAMES else None
    of = None if page is None else _subject(page, scenario)
    if page is None or of is None:
        return
    st.markdown("**A figure with a slider, as one file**")
    st.caption(
        plain(
            f"The slider moves {page.moves(of)} through steps that are each computed. The file"
            f" opens anywhere, without this app and without a network. {page.holds(of)}"
        )
    )
    data = of.table.key if of.table is not None else "" if page.among(scenario) else of.known.digest
    key = f"{name} {urlencode(scenario.to_query())} {data}"

    @st.fragment(key="takeaway")
    def drawn() -> None:
        if _ASKED.value == key:
            _made(of, key)
        else:
            _button(lambda: _ASKED.put(key))

    drawn()


def _subject(page: PageView, scenario: Scenario) -> Subject | None:
    """What the page is about; None where it, or the k that was given, waits for data."""
    if page.among(scenario):
        study = RunsStudy(scenario=scenario, table=TABLE.value)
        return None if study.missing else Subject(scenario, table=study.table)
    waits = scenario.needs_data or scenario.k != state.unfitted().k
    return None if waits else Subject(scenario, state.scores(scenario))


def _button(act: Callable[[], None]) -> None:
    st.button("Make the file", icon=":material/tune:", key="takeaway_make", on_click=act)


@dataclass(frozen=True)
class Making:
    """The file of the page of this name, as it is to be made; what is large is made in a process of
    its own.
    """

    name: str
    of: Subject
    rows: tuple[Pair, ...]

    def computed(self, name: str, progress: Progress, done: Done) -> File:
        """The file."""
        return file_of(page_of(self.name), self.of, self.rows, progress)


def steps_of(making: Making) -> Mapping[str, WorkStep]:
    """The one step, for a job."""
    if POSSIBLE and is_large(making.of.scenario, making.of.scores):
        return Elsewhere(making, ["file"])
    return {"file": partial(making.computed, "file")}


def _made(of: Subject, key: str) -> None:
    """The file, or how far it is."""
    about = print_header.shown_now()
    making = Making(print_header.page_name(), of, about.rows)
    (job,) = desk().ask(
        "takeaway", [(key, lambda: steps_of(making))], place=_PLACE, patience=PATIENCE
    )
    job.look()
    file = job.result("file", File)
    if file is not None:
        download(
            "Download the figure",
            lambda: file.html,
            f"{about.file_name('slider')}.html",
            "takeaway_file",
        )
    elif job.problem is not None:
        st.error(plain(job.problem))
        if job.failed:
            _button(lambda: desk().forget([job]))
    elif job.cancelled:
        st.markdown("Stopped before every step was computed.")
        _button(lambda: desk().forget([job]))
    else:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.progress(min(job.fraction, 1.0), text=_how_far(job))
            st.button("Stop", icon=":material/stop:", key="takeaway_stop", on_click=job.cancel)
        watch("takeaway", lambda: None, _LOOKS)


def _how_far(job: Job) -> str:
    done = f"Computing every step of the slider: {job.fraction:.0%}".replace("%", " %")
    return f"{done} · {job.left}" if job.left else done
