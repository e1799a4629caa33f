"""What holds of every page; each is opened once for all of it, so the order is that of what changes
it least.
"""

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Page, TimeoutError, ViewportSize, expect

from dpviz.teaching.lessons import LESSONS
from tests.browser.axe import COLOURS, contrasts, violations
from tests.browser.every_page import EVERY, settled, show_page, turn_to_theme
from tests.browser.first_screen import first_screen
from tests.browser.hand import epsilon, pressed, value
from tests.browser.page_checks import OWN
from tests.browser.paper import MAIN, WIDER, told, turn_to_paper
from tests.browser.phone import CUT, faults, turn_to_phone
from tests.browser.stage import box, stage, undo
from tests.browser.windows import Rack

OF_LESSONS = {"learn", "a question", "an experiment", "for who teaches", "classroom"}
WITHOUT_SCENARIO = {"start", "deployments", *OF_LESSONS}
MOST_WORDS, MOST_CONTROLS = 190, 17  # at first sight, beside the menu of pages
LAPTOP: ViewportSize = {"width": 1366, "height": 768}
SIZES = ((1366, 768, 64), (683, 384, 64), (390, 844, 104))  # the second is a laptop at 200 %
MEASURED_TEXT = """() => {
    const name = 'http://www.w3.org/2000/svg', text = document.createElementNS(name, 'text');
    const tester = document.querySelector('#js-plotly-tester') ?? document.body.appendChild(
        document.createElementNS(name, 'svg'));
    text.textContent = 'measured';
    tester.append(text);
    text.getBoundingClientRect();
    text.remove();
}"""
BARE = """() => {
    const leaves = ':is(h2, h3, .dp-side), :is(p, li, td, dd, button, input, .dp-value, svg):not(.dp-glossary *)';
    const seen = [...document.querySelectorAll('.stMainBlockContainer :is(' + leaves + ')')]
        .filter((one) => one.offsetHeight !== 0 && one.getBoundingClientRect().height > 4 && one.checkVisibility());
    const heads = (one) => one?.matches('h2, h3, .dp-side') ?? true;
    return seen.filter((one, i) => heads(one) && heads(seen[i + 1])).map((one) => `nothing below ${one.textContent}`);
}"""
SHORT = """() => [...document.querySelectorAll('[data-testid=stPageLink] p, .dp-scroll')]
    .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => `cut: ${one.textContent.slice(0, 60)}`)"""
PAUSE = 100  # milliseconds from look to look, of those that take long
WIDTHS = (360, 769, 960, 1920)
FAULTS = """() => {
  const main = document.querySelector('[data-testid="stMain"]'), range = document.createRange(), seen = [], bad = [];
  const apart = (a, b) => a.left > b.right - 1 || a.right < b.left + 1 || a.top > b.bottom - 1 || a.bottom < b.top + 1;
  const within = (up, test) => up && up !== main && (test(up) || within(up.parentElement, test));
  const unseen = (box) => (up) => {  // behind an edge, for screen readers alone, or over what is scrolled
    const style = getComputedStyle(up);
    return (style.clipPath !== 'none' && !up.closest('.legend')) || /sticky|fixed/.test(style.position)
      || (/hidden|auto|scroll|clip/.test(style.overflowX + style.overflowY) && apart(box, up.getBoundingClientRect()));
  };
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode, of = node.parentElement, text = node.textContent.trim();
    if (!text || !of.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (of.closest('script, style, .modebar')) continue;
    range.selectNodeContents(node);
    for (const box of range.getClientRects())
      if (box.width > 2 && box.height > 4 && !within(of, unseen(box))) seen.push({ text, of, box });
  }
  seen.sort((a, b) => a.box.top - b.box.top);
  seen.forEach((a, i) => {
    for (const b of seen.slice(i + 1)) {
      if (b.box.top > a.box.bottom) break;
      const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const high = Math.min(a.box.bottom, b.box.bottom) - b.box.top;
      if (wide > 3 && high > 5 && !a.of.contains(b.of) && !b.of.contains(a.of)) bad.push(`${a.text} / ${b.text}`);
    }
  });
  if (main.scrollWidth > main.clientWidth + 1) bad.push(`wider by ${main.scrollWidth - main.clientWidth}`);
  for (const box of main.querySelectorAll('[data-testid="stNumberInputField"]'))
    if (box.checkVisibility() && box.clientWidth - parseFloat(getComputedStyle(box).paddingLeft) < 8 * box.value.length)
      bad.push(`${box.ariaLabel} has no room for ${box.value}`);
  return bad;
}"""
# a moment after the window
FOLLOWED = """() => [...document.querySelectorAll('.stPlotlyChart')].every((chart) => !chart.checkVisibility()
    || Math.abs(chart.querySelector('.main-svg').clientWidth - chart.clientWidth) < 2)"""
OF_EACH_KIND = pytest.mark.twins(
    "explore", "decide", "sparse vector", "candidates", "a question", "deployments"
)


def styled_elements(page: Page, act: str) -> int:
    """Number of elements whose style the browser computes while a script runs."""
    browser = page.context.browser
    assert browser is not None
    browser.start_tracing(page=page, categories=["devtools.timeline"])
    page.evaluate(act)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    computed = [event["args"] for event in events if event["name"] == "UpdateLayoutTree"]
    return sum(each.get("elementCount", 0) for each in computed)


@pytest.fixture(scope="module", params=EVERY)
def name(request: pytest.FixtureRequest) -> str:
    """Every page by its name."""
    return str(request.param)


@pytest.fixture(scope="module")
def shared(rack: Rack, server: str, name: str) -> Iterator[Page]:
    """That page, opened once for all tests."""
    with rack.windows() as new_page:
        page = new_page(server)
        page.set_viewport_size(LAPTOP)
        show_page(page, name)
        yield page


@pytest.fixture
def page(shared: Page) -> Iterator[Page]:
    """That page, on the screen again when a test has ended; it may have any size, as charts drawn
    for one that nobody looks at cost much.
    """
    yield shared
    shared.emulate_media(media="screen", color_scheme="light")


def test_it_opens_on_few_words_and_controls_and_on_its_picture(page: Page, name: str) -> None:
    if name in {"sparse vector", *OF_LESSONS} - {"learn"}:
        return
    page.set_viewport_size(LAPTOP)
    seen = first_screen(page)
    assert len(seen.words) <= MOST_WORDS, seen.words
    assert len(seen.controls) <= MOST_CONTROLS, seen.controls
    if name != "decide":  # whose first screen asks
        picture = page.locator(".js-plotly-plot, .dp-lesson-door, .dp-scene").first.bounding_box()
        assert picture is not None
        assert picture["y"] + picture["height"] / 2 < LAPTOP["height"]


def test_a_measured_text_makes_the_browser_style_nothing_else(page: Page) -> None:
    """Plotly measures dozens of texts a chart; a rule with `:has(> *)` made each restyle the page."""
    assert any(  # something may come meanwhile
        1 <= styled_elements(page, MEASURED_TEXT) <= 9 for _ in range(3)
    )


def test_headings_are_in_order_and_every_chart_has_its_table(page: Page) -> None:
    main = page.get_by_test_id("stMainBlockContainer")
    expect(main.locator("h1").first).to_be_attached()
    levels = main.locator("h1, h2, h3, h4").evaluate_all(
        "(all) => all.map((one) => Number(one.tagName[1]))"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    keys = main.get_by_test_id("stPlotlyChart").evaluate_all(
        """(charts) => charts.map((chart) => chart.closest('[class*="st-key-"]').className.match(/st-key-(\\S+)/)[1])"""
    )
    for key in keys:
        expect(main.locator(f".st-key-{key}_table")).to_contain_text("able and downloads")


def test_axe_finds_nothing_of_ours_and_what_is_chosen_stands_out(page: Page, name: str) -> None:
    for theme in ("light", "dark") if name == "explore" else ("light",):
        turn_to_theme(page, theme)
        rules = () if theme == "light" else COLOURS
        assert [found[:2] for found in violations(page, only=rules) if not found[2]] == []
        ratios = contrasts(page)
        assert ratios or name not in {"gaps", "candidates"}
        assert min(ratios, default=21) >= 4.5


@OF_EACH_KIND
def test_the_stage_stays_in_sight_and_nothing_runs_off(page: Page, name: str) -> None:
    expect(page.locator("h1")).to_be_visible()
    about = name not in WITHOUT_SCENARIO
    shown = [undo(page)] if about else []
    if name in {"explore", "compare", "gaps", "sparse vector"}:
        shown.append(box(page, "k, list length"))
    if about and name != "decide":  # which asks for all but ε first, and answers with it
        label = "ε1, exactly" if name == "candidates" else "ε, exactly"
        shown += [box(page, label), stage(page).get_by_role("slider")]
        ends = r"\d\smore\sprivacy$", r"\d\smore\saccuracy$"
        shown += [stage(page).get_by_text(re.compile(end)) for end in ends]
    for width, height, slim in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, main.scrollHeight)")
        if height > 400:
            for control in shown:
                expect(control).to_be_in_viewport()
        page.wait_for_function(
            """([most, slim]) => {
                const strip = document.querySelector('.st-key-stage');
                return [document.documentElement, document.querySelector('.stMain')]
                    .every((e) => e.scrollWidth <= most)
                    && (!strip || strip.getBoundingClientRect().height < slim);
            }""",
            arg=[width, slim],
        )


@OF_EACH_KIND
def test_on_a_phone_nothing_runs_off_and_every_legend_is_whole(page: Page) -> None:
    turn_to_phone(page)
    assert faults(page) == []


@OF_EACH_KIND
def test_on_paper_nothing_is_cut_and_every_setting_is_told(page: Page, name: str) -> None:
    charts = page.locator(f"{MAIN} .js-plotly-plot").count()
    expect(page.locator(".dp-about")).not_to_be_visible()
    turn_to_paper(page)
    assert page.locator(f"{MAIN} .js-plotly-plot").count() == charts
    assert page.evaluate(WIDER) == []
    expect(page.get_by_test_id("stSidebar")).not_to_be_visible()
    pressed = page.locator(
        f"{MAIN} :is(button, input, summary):visible:not(details[open] > summary)"
    )
    assert pressed.all_text_contents() == []
    rows = told(page)
    expect(page.locator(".dp-about")).to_be_visible()
    assert {"Page", "Date", "Link"} <= rows.keys()
    address, link = urlsplit(page.url), urlsplit(rows["Link"])
    assert address[:3] == link[:3]
    assert set(parse_qsl(address.query)) <= set(parse_qsl(link.query))  # which says all
    if name == "a question":
        asked = LESSONS["permute_and_flip"].steps[1].question
        assert asked is not None
        for text in (asked.text, *asked.choices):
            expect(page.locator(".stRadio p", has_text=text)).to_be_visible()
    if name == "explore":
        assert {"Mechanism", "γ", "Noise", "Data", "d", "Δ", "Neighbours", "ε", "k"} <= rows.keys()


@pytest.mark.twins("explore")
def test_no_text_lies_on_another_or_is_cut(page: Page) -> None:
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function(FOLLOWED)
        try:
            page.wait_for_function(f"() => !({FAULTS})().length", polling=PAUSE)
        except TimeoutError:
            assert page.evaluate(FAULTS) == [], f"at {width} pixels"


def test_what_is_said_of_a_page_alone_holds(page: Page, name: str) -> None:
    if name in OWN:
        settled(page)
        page.wait_for_function(FOLLOWED)  # the window may just have been another
        for holds in OWN[name]:
            holds(page)


def test_on_a_projector_no_heading_is_bare_and_no_word_is_cut(page: Page) -> None:
    page.set_viewport_size(LAPTOP)
    button = page.get_by_role("button", name="Presenter view")
    if button.count():
        button.click()
    else:
        page.goto(f"{page.url}{'&' if '?' in page.url else '?'}view=presenter")
    page.wait_for_url("**view=presenter**")
    wrong = f"[...({BARE})(), ...({CUT})(), ...({SHORT})()]"
    for width in (1366, 1024):  # below 1100 pixels charts stand one below the other
        page.set_viewport_size({"width": width, "height": 768})
        settled(page)
        try:
            page.wait_for_function(f"!{wrong}.length", polling=PAUSE)
        except TimeoutError:
            assert page.evaluate(wrong) == [], width


def test_before_any_step_has_come_the_slider_says_so_and_the_page_is_veiled(
    page: Page, name: str
) -> None:
    if name != "gaps":
        return
    page.evaluate("() => { dpvizHand.ask = () => {}; }")
    epsilon(page).hover()
    with pressed(page, 0.7):
        note, copies = page.locator(".dp-hand-note"), page.locator(".dp-hand [data-place]")
        expect(note).to_have_text(f"{value(page):.10g} is being computed.")
        expect(epsilon(page)).to_have_attribute(
            "aria-valuetext", f"{value(page):.10g}: being computed"
        )
        assert copies.count() > 4
        for copy in copies.all():
            expect(copy).to_be_hidden()  # behind it what is below is dimmed
        page.evaluate("() => { delete dpvizHand.ask; dpvizHand.ask(); }")
        expect(note).to_be_hidden()
        told = f"How far apart are the 10 best items, at ε = {value(page):.10g}?"
        expect(page.locator(".dp-hand h1")).to_have_text(told)
    expect(page.locator(".stMain h1")).to_have_text(told)
    expect(page.locator(".dp-hand")).to_have_count(0)
