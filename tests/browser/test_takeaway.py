"""A figure to take away, opened from a folder without a network: its slider moves it to the
library's own values.
"""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import dpviz.teaching.lessons  # noqa: F401 - which fill the menu
from dpviz import Canonical, Design, OneShot, Peeling, Scenario, Scores, __version__
from dpviz.__main__ import main
from dpviz.charts.text_format import number_text, percent
from dpviz.export.takeaway import build_takeaway_file, page_takeaway_file
from dpviz.pages import load_page_view
from dpviz.pages.common.lesson_figures import build_lesson_takeaway
from dpviz.pages.common.slider_file import Takeaway, epsilon_grid
from dpviz.pages.common.subject import PageSubject
from dpviz.pages.compare.view import build_takeaway as compared
from dpviz.pages.explore.view import build_takeaway as explored
from dpviz.studies.data_spec import DataSpec
from dpviz.teaching.lesson import LESSONS
from tests.browser.steps import open_page, ready
from tests.browser.windows import Opened

MOST = 2_000_000  # bytes
DESIGNS = (
    Design(mechanism="canonical"),
    Design(mechanism="peeling"),
    Design(mechanism="one_shot", parameters={"noise": "exponential"}),
)
HOSTILE = (
    "<img src=x onerror=window.pwned=1>",
    "</script><script>window.pwned=1</script>",
    '"><svg onload=window.pwned=1>',
    "<a href='javascript:window.pwned=1'>x</a>",
    "<!--",
    "&lt;b&gt;&#60;img src=x onerror=window.pwned=1&#62;",
)


def shown(name: str) -> Takeaway:
    """What one of the files shows."""
    scenario = Scenario()
    match name:
        case "explore":
            return explored(scenario, scenario.load())
        case "compare":
            return compared(scenario.replace(designs=DESIGNS), scenario.load())
        case "lesson":
            lesson = LESSONS["what_k_costs"]
            of = next(step.experiment for step in lesson.steps if step.experiment is not None)
            return build_lesson_takeaway(lesson, of, seed=3, start=of.start)
    own = Scores([9.0, 7.5, 7.25, 3.0, 2.0, 1.0], labels=HOSTILE)
    uploaded = Scenario(
        data=DataSpec(source="uploaded", called=HOSTILE[1]), k=2, scores=own, name=HOSTILE[0]
    )
    return explored(uploaded, own)


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """taken(name) is one of the files in a folder of theirs, made when a test first asks for it."""
    home = tmp_path_factory.mktemp("taken")

    @cache
    def taken(name: str) -> Path:
        path = home / f"{name}.html"
        path.write_text(
            build_takeaway_file(shown(name), [("Data", HOSTILE[1])]).html, encoding="utf-8"
        )
        return path

    return taken


@pytest.fixture
def opened(opened: Opened) -> Callable[..., Page]:
    """opened(path) is an offline window on the file, once it is drawn."""

    def drawn_file(path: Path, *size: int, **how: str) -> Page:
        page = opened(path, *size, **how)
        expect(page.locator("body[data-drawn]")).to_be_visible()
        return page

    return drawn_file


def move(page: Page, key: str, to: int, mode: str = "light") -> None:
    """Press a key on the slider, and wait until it has drawn its step `to`."""
    page.get_by_role("slider").press(key)
    expect(page.locator("body")).to_have_attribute("data-drawn", f"{to} {mode}")


def cells(page: Page, row: int = 0) -> list[str]:
    return page.locator(f'[data-cell^="{row} "]').all_text_contents()


def drawn(
    page: Page, plot: int, trace: int, axis: str
) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """The values of a trace as plotly has them."""
    told = page.evaluate(
        "([n, t, axis]) => Array.from(document.getElementById('plot' + n)._fullData[t][axis])",
        [plot, trace, axis],
    )
    return np.array(told, float)


def headline(law: object) -> list[str]:
    chances = [
        percent(getattr(law, name), *law.interval(name)) for name in ("top", "great", "good")
    ]  # type: ignore[attr-defined]
    averages = law.expected_hits, law.expected_worst_rank  # type: ignore[attr-defined]
    return [*chances, *(number_text(round(value, 2 if value < 100 else 1)) for value in averages)]


@pytest.mark.long
def test_every_file_is_below_two_megabytes(taken: Callable[[str], Path]) -> None:
    for name in ("explore", "compare", "lesson", "hostile"):
        assert taken(name).stat().st_size < MOST, name


def test_keys_move_it_to_the_library_s_own_figures(
    opened: Callable[..., Page], taken: Callable[[str], Path]
) -> None:
    page = opened(taken("explore"))
    scores, steps = Scenario().load(), epsilon_grid(1.0)
    place = start = steps.index(1.0)
    page.get_by_text("Table of what is shown").first.click()
    for key, to in (
        ("", start),
        ("ArrowRight", start + 1),
        ("End", 32),
        ("ArrowLeft", 31),
        ("Home", 0),
    ):
        if key:
            move(page, key, to)
        place = to
        law = Canonical(epsilon=steps[place], k=10).distribution(scores)
        shown = f"{steps[place]:.6g}"
        expect(page.locator("#now")).to_have_text(shown)
        expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", shown)
        expect(page.locator("#sentence")).to_contain_text(f"At ε = {shown} ")
        assert cells(page) == headline(law)
        named = page.locator("#table0 tbody tr").all()[:-1]  # the last row has the rest
        chances = [float(row.locator("td").last.text_content() or "") for row in named]
        assert chances == pytest.approx(law.inclusion[scores.order[: len(named)]], abs=1.1e-6)
        bars = drawn(page, 0, 1, "x")[: len(named)]
        assert bars == pytest.approx(law.inclusion[scores.order[: len(named)]], rel=1e-3, abs=1e-12)
        rights, often = drawn(page, 1, 0, "x"), drawn(page, 1, 0, "y")
        assert often == pytest.approx(law.hits[rights.astype(int)], rel=1e-3, abs=1e-12)
        alt = page.locator("#plot1").get_attribute("aria-label") or ""
        assert (page.locator("#says1").text_content() or "?") in alt


@pytest.mark.long
def test_mechanisms_side_by_side_have_their_own_figures(
    opened: Callable[..., Page], taken: Callable[[str], Path]
) -> None:
    page = opened(taken("compare"))
    scores, steps = Scenario().load(), epsilon_grid(1.0)
    start = steps.index(1.0)
    for key, to in (("", start), ("ArrowLeft", start - 1), ("End", 32)):
        if key:
            move(page, key, to)
        epsilon = steps[to]
        for row, mechanism in enumerate(
            (
                Canonical(epsilon=epsilon, k=10),
                Peeling(epsilon=epsilon, k=10),
                OneShot(epsilon=epsilon, k=10, noise="exponential"),
            )
        ):
            law = mechanism.distribution(scores)
            assert cells(page, row) == headline(law)
            assert percent(law.top, *law.interval("top")) in (
                page.locator("#says0").text_content() or ""
            )
        marked = page.evaluate(
            "document.getElementById('plot0').layout.shapes.map((one) => one.x0)"
        )
        assert any(
            x == pytest.approx(epsilon, rel=1e-3) or x == pytest.approx(np.log10(epsilon))
            for x in marked
        )


@pytest.mark.long
def test_a_lesson_s_control_is_the_slider(
    opened: Callable[..., Page], taken: Callable[[str], Path]
) -> None:
    page = opened(taken("lesson"))
    expect(page.locator("#sentence")).not_to_be_visible()  # first a mark of one's own
    page.get_by_role("button", name="Show what is exact").click()
    expect(page.locator("#expected")).to_have_text(
        re.compile("^You marked 50 of 100. Exactly it is")
    )
    of = next(
        step.experiment for step in LESSONS["what_k_costs"].steps if step.experiment is not None
    )
    settings = of.settings()
    start = settings.index(of.start)
    for key, to in (("", start), ("End", len(settings) - 1), ("Home", 0)):
        if key:
            move(page, key, to)
        expect(page.locator("#sentence")).to_have_text(of.says(settings[to]))
        assert drawn(page, 0, 5, "x") == pytest.approx(of.law(settings[to]), rel=1e-3, abs=1e-9)
        assert drawn(page, 0, 0, "x") * 1000 == pytest.approx(
            of.draw_outcome_counts(settings[to], 3), abs=0.6
        )


def test_labels_and_names_stay_text(
    opened: Callable[..., Page], taken: Callable[[str], Path]
) -> None:
    page = opened(taken("hostile"))
    expect(page.get_by_role("heading", level=1)).to_contain_text(HOSTILE[0])
    page.get_by_text("Table of what is shown").first.click()
    for key, to in (("", 16), ("ArrowRight", 17), ("Home", 0)):
        if key:
            move(page, key, to)
        rows = page.locator("#table0 tbody tr td:nth-child(2)").all_text_contents()
        assert [row[:20] for row in rows] == [label[:20] for label in HOSTILE]
        assert page.evaluate("window.pwned") is None
        assert page.locator("main img, main a, .plot foreignObject, main svg[onload]").count() == 0
    for axis in page.locator("#plot0 .ytick text").all():
        axis.hover(force=True)
    assert page.evaluate("window.pwned") is None


@pytest.mark.long
def test_it_holds_the_scores_of_the_items_shown_and_no_other(
    tmp_path: Path, opened: Callable[..., Page]
) -> None:
    rng = np.random.default_rng(1)
    values = np.sort(rng.uniform(1e3, 9e3, 80).round(3))[::-1]
    own = Scores(values, labels=[f"name-{i}-{rng.integers(10**9)}" for i in range(80)])
    scenario = Scenario(data=DataSpec(source="uploaded"), k=5, scores=own)
    for name, made, named in (
        ("one", explored(scenario, own), 18),
        ("two", compared(scenario, own), 0),
    ):
        path = tmp_path / f"{name}.html"
        path.write_text(build_takeaway_file(made).html, encoding="utf-8")
        page = opened(path)
        whole = page.evaluate("document.documentElement.outerHTML") + page.evaluate(
            "JSON.stringify([...document.querySelectorAll('.plot')].map((one) => [one.data,"
            " one.layout]))"
        )
        assert {i for i, label in enumerate(own.labels) if label in whole} == set(range(named))
        steps = str([one.pictures for one in made.steps])
        assert {i for i, label in enumerate(own.labels) if label in steps} == set(range(named))
        if named:  # no finer than the chart tells them
            assert drawn(page, 0, 0, "x")[:named].tolist() == np.rint(values[:named]).tolist()
        told = "the names and scores of the 18 items" if named else "no name and no score"
        expect(page.locator("footer")).to_contain_text(told)


@pytest.mark.twins("explore")
@pytest.mark.parametrize("name", ["explore", "compare", "lesson"])
def test_it_fits_a_phone_follows_dark_and_prints_its_step(
    opened: Callable[..., Page], taken: Callable[[str], Path], name: str
) -> None:
    page = opened(taken(name), 390, 844)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page = opened(taken(name), scheme="dark")
    ink = "getComputedStyle(document.querySelector('.plot .main-svg')).backgroundColor"
    assert page.evaluate(ink) == "rgb(15, 20, 26)"
    if name == "lesson":  # which asks for a mark first
        page.get_by_role("button", name="Show what is exact").click()
    last = int(page.get_by_role("slider").get_attribute("max") or 0)
    move(page, "End", last, "dark")
    paper = page.pdf(prefer_css_page_size=True)
    sheets = (
        3 if name == "lesson" else 1
    )  # on paper all moves of a mechanism at work stand below each other
    assert len(re.findall(rb"/Type\s*/Page(?!s)\b", paper)) == sheets
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("body")).to_have_attribute("data-drawn", f"{last} light")
    right = (
        "Math.max(...[...document.querySelectorAll('.plot .main-svg')].map((e) =>"
        " e.getBoundingClientRect().right))"
    )
    page.set_viewport_size({"width": 680, "height": 1010})
    assert page.evaluate(right) <= 680


@pytest.mark.long
@pytest.mark.twins("neighbours")
@pytest.mark.parametrize("name", ["margin", "neighbours"])
def test_names_have_room_and_panels_stack_on_a_phone(
    opened: Callable[..., Page], tmp_path: Path, name: str
) -> None:
    path = tmp_path / f"{name}.html"
    path.write_text(
        page_takeaway_file(
            load_page_view(name), PageSubject(load_page_view(name).first_scenario or Scenario()), ()
        ).html,
        encoding="utf-8",
    )
    cut = (
        "(([p, names]) => names.map((n) => n.getBoundingClientRect().left -"
        " p.getBoundingClientRect().left))"
    )
    at = "(p => [p, [...p.querySelectorAll('.ytick text')]])"
    panels = (
        "[1, 2, 3, 4].map((n) => document.getElementById('plot1').layout['xaxis' + (n > 1 ? n :"
        " '')]?.domain)"
    )
    for width in (1366, 390):
        page = opened(path, width, 844)
        for plot in page.locator(".plot").all():
            left = plot.evaluate(f"(p) => {cut}({at}(p))")
            assert min(left) >= 0, width
        if name == "margin":
            wide = [end - start for start, end in page.evaluate(panels)]
            assert all(one == 1 for one in wide) == (width == 390), wide


FROM_PAGES = {
    "/explore?epsilon=2&k=3": ("2", "what comes out is"),
    "/compare?epsilon=2&k=3": ("2", "exactly the"),
    "/gaps?data=example:class_trip&epsilon=2&k=3": ("2", "typical error"),
    "/gaps?data=example:class_trip&epsilon=2&k=3&page.gaps.half=sparse_vector": (
        "2",
        "plain sparse vector",
    ),
    "/margin?epsilon=2": ("2", "large margin gives"),
    "/candidates?page.pc.people=60&page.pc.runs=20&page.pc.epsilon1=2.0": (
        "2",
        "what comes out is",
    ),
    "/neighbours?data=example:class_trip&epsilon=2&k=2": ("2", "the most telling answer"),
    "/decide?data=example:class_trip&k=2&page.decide.screen=answer&page.decide.fixed=true&epsilon=2": (
        "2",
        "right in",
    ),
}
DATE = re.compile(r"<dt>Date</dt><dd>[0-9-]+</dd>")  # midnight may pass between two files


# Every page goes the same way to its file; tests/export/takeaway has every step of all of them,
# and tests/pages/test_one_study.py that page, file and command say the same.
SHORT = {"/explore?epsilon=2&k=3"}


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=[] if path in SHORT else [pytest.mark.long]) for path in FROM_PAGES],
)
def test_a_page_gives_the_file_that_the_command_gives_and_it_works_alone(
    path: str, page: Page, opened: Callable[..., Page], tmp_path: Path
) -> None:
    starts, sentence = FROM_PAGES[path]
    open_page(page, path)
    page.get_by_role("button", name="Share or save").click()
    dialog = page.get_by_role("dialog", name="Share or save")
    link = dialog.get_by_test_id("stCode").text_content() or ""
    dialog.get_by_role("button", name="Make the file").click()
    button = dialog.get_by_role("button", name="Download the figure")
    expect(button).to_be_visible(timeout=120_000)
    with page.expect_download() as waiting:
        button.click()
    assert waiting.value.suggested_filename.endswith(".html")
    taken, command = tmp_path / waiting.value.suggested_filename, tmp_path / "command.html"
    waiting.value.save_as(taken)
    assert taken.stat().st_size < MOST
    assert main(["figure", "--scenario", link, "-o", str(command), "--quiet"]) == 0
    mine, other = (DATE.sub("", file.read_text(encoding="utf-8")) for file in (taken, command))
    assert mine == other
    alone = opened(taken)
    expect(alone.locator("#now")).to_have_text(starts)
    expect(alone.locator("#sentence")).to_contain_text(sentence)
    for told in ("where the slider starts", f"dpviz {__version__}", "Date", "Link"):
        expect(alone.locator("footer")).to_contain_text(told)
    assert alone.locator(".plot .main-svg").count() >= 1
    slider = alone.get_by_role("slider")
    last, before = int(slider.get_attribute("max") or 0), alone.locator("#sentence").text_content()
    move(alone, "End", last)
    assert alone.locator("#sentence").text_content() != before
    assert opened(taken, 390, 844).evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.long
def test_stop_leaves_the_page_as_it_was(page: Page) -> None:
    open_page(page, "/gaps?data=example:song_listeners&epsilon=0.9&k=40")
    main_part = page.get_by_test_id("stMain")
    expect(main_part.get_by_text("Ratio, simulated").first).to_be_visible()
    expect(main_part.locator(".dp-wait")).to_have_count(0, timeout=120_000)
    title, figures = (main_part.locator(place).first for place in ("h1", ".dp-cards"))
    before, address = (title.text_content(), figures.text_content()), page.url
    page.get_by_role("button", name="Share or save").click()
    dialog = page.get_by_role("dialog", name="Share or save")
    make = dialog.get_by_role("button", name="Make the file")
    make.click()
    dialog.get_by_role("button", name="Stop").click()
    expect(dialog.get_by_text("Stopped before every step was computed.")).to_be_visible()
    expect(make).to_be_visible()
    expect(dialog.get_by_role("button", name="Download the figure")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    ready(page)
    assert (title.text_content(), figures.text_content()) == before
    assert page.url == address


@pytest.mark.long
def test_a_lesson_gives_its_picture(
    page: Page, opened: Callable[..., Page], tmp_path: Path
) -> None:
    open_page(page, "/learn?lesson=what_k_costs&step=3&seed=3&releases=10&setting=5")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="This picture as a file").click()
    taken = tmp_path / "lesson.html"
    waiting.value.save_as(taken)
    alone = opened(taken)
    expect(alone.locator("#now")).to_have_text("5")
    of = next(
        step.experiment for step in LESSONS["what_k_costs"].steps if step.experiment is not None
    )
    assert drawn(alone, 0, 0, "x") * 10 == pytest.approx(
        of.draw_outcome_counts(5.0, 3, 10), abs=0.01
    )
