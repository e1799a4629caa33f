"""A chart that changed is drawn once and goes on as a chart does, a press is not lost to what moves
under it, and nothing is asked any more once all is there.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocket, expect

from dpviz import Canonical
from dpviz.base.text_format import release_frequency_text
from dpviz.data import EXAMPLES
from tests.browser.every_page import settled
from tests.browser.steps import nudge
from tests.browser.windows import spoilt

# Which charts Streamlit had drawn, and which of them plotly drew: that makes all of a chart's
# layout anew.
COUNT = """() => {
    const react = Plotly.react;
    const told = (key, value) => (key.startsWith("_") ? undefined : value);
    window.shows = (plot) => plot.closest("[class*=st-key-]").className + JSON.stringify(plot.data, told);
    window.asked = [];
    window.drawn = [];
    Plotly.react = async (plot, ...given) => {
        const before = plot._fullLayout;
        await react(plot, ...given);
        if (!plot.closest(".stPlotlyChart")) return plot;
        window.asked.push(shows(plot));
        if (plot._fullLayout !== before) window.drawn.push(shows(plot));
        return plot;
    };
    window.first = [...document.querySelectorAll(".stPlotlyChart .js-plotly-plot")].map(shows);
}"""
NOW = "[...document.querySelectorAll('.stPlotlyChart .js-plotly-plot')].map(shows)"
ANEW = f"() => {NOW}.every(now => !first.includes(now) && asked.includes(now))"
OFTEN = f"() => {NOW}.map(now => drawn.filter(one => one === now).length)"


@pytest.fixture
def explore(visit: Callable[[str], Page]) -> Page:
    """A page that rests: nothing else moves, and a key goes where the focus is."""
    page = visit("/explore")
    settled(page)
    return page


def test_a_chart_that_was_not_drawn_again_heeds_what_is_done_to_it(explore: Page) -> None:
    page = explore
    size, chart = page.viewport_size, page.locator(".st-key-scores .js-plotly-plot")
    assert size is not None
    plot = chart.element_handle()
    wide = plot.evaluate("plot => plot._fullLayout.width")
    plot.evaluate("plot => Plotly.relayout(plot, {'xaxis.range': [0.5, 1.5]})")
    assert plot.evaluate("plot => plot._fullLayout.xaxis.range") == [0.5, 1.5]
    page.set_viewport_size({"width": 900, "height": 900})
    page.wait_for_function("([plot, wide]) => plot._fullLayout.width != wide", arg=[plot, wide])
    assert plot.evaluate("plot => plot._fullLayout.xaxis.range") == [0.5, 1.5]
    settled(page)  # what the new width draws may not have ended
    plot.evaluate("plot => Plotly.relayout(plot, {'xaxis.autorange': true})")
    assert plot.evaluate("plot => plot._fullLayout.xaxis.range") != [0.5, 1.5]
    page.set_viewport_size(size)
    settled(page)


def test_a_moved_control_draws_each_chart_once_and_the_changed_sentence_is_announced(
    explore: Page,
) -> None:
    page = explore
    page.evaluate(COUNT)
    nudge(page, "ε, the privacy budget")
    page.wait_for_function(ANEW)
    settled(page)
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert page.evaluate(OFTEN) == [1, 1, 1]
    law = Canonical(epsilon=0.22, k=10).distribution(EXAMPLES["help_line"].scores())
    region = page.locator(".dp-live")
    expect(region).to_contain_text(release_frequency_text(law.top))
    expect(region).to_have_attribute("role", "status")


@pytest.mark.parametrize(
    ("pressed", "moves", "brings"),
    [
        ("summary:has-text('A hundred simulated releases')", "0 300px", "Draw 100"),
        ("role=button[name='Presenter view']", "-300px", "Leave the presenter view"),
    ],
)
def test_a_press_counts_though_what_is_pressed_moves_before_it_ends(
    explore: Page, pressed: str, moves: str, brings: str
) -> None:
    page = explore
    line = page.locator(pressed)
    line.scroll_into_view_if_needed()
    box = line.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + min(40, box["width"] / 2), box["y"] + box["height"] / 2)
    page.mouse.down()
    line.evaluate("(one, by) => { one.closest('[class*=st-key-]').style.translate = by; }", moves)
    page.mouse.up()
    expect(page.get_by_role("button", name=brings)).to_be_visible()


def test_nothing_is_asked_any_more_once_all_is_there(explore: Page) -> None:
    page, asked = explore, [0]

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", lambda _: asked.append(asked[-1] + 1))

    spoilt(page)
    page.on("websocket", listen)
    page.clock.install()
    page.goto("/compare?k=11")  # unknown so far
    expect(page.get_by_role("heading", name="11 best of 60")).to_be_visible()
    nudge(page, "ε, the privacy budget").blur()  # a run of the page while its parts are computed
    seen: list[int] = []
    while seen[-3:] != 3 * [asked[-1]]:  # at first a look of a line may still be on its way
        assert len(seen) < 30
        seen.append(asked[-1])
        page.clock.fast_forward(10_000)
        settled(page)
