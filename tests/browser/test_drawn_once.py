"""A chart that changed is drawn once, and goes on as a chart does: it is zoomed, resized, and
turned dark.
"""

from playwright.sync_api import Page, expect

from tests.browser.every_page import settled
from tests.browser.steps import nudge, open_page

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
NOW = (  # without what follows the hand
    "[...document.querySelectorAll('.stPlotlyChart .js-plotly-plot')].map(shows)"
)
TWICE = (
    f"() => {NOW}.every(now => !first.includes(now) && asked.filter(one => one === now).length > 1)"
)
OFTEN = f"() => {NOW}.map(now => drawn.filter(one => one === now).length)"


def test_a_moved_control_draws_each_chart_once(page: Page) -> None:
    open_page(page, "/explore")
    expect(page.locator(".js-plotly-plot:has(.main-svg)")).to_have_count(3)
    page.evaluate(COUNT)
    nudge(page, "ε, the privacy budget")
    page.wait_for_function(TWICE)
    assert page.evaluate(OFTEN) == [1, 1, 1]
    for _ in range(20):
        page.evaluate("() => new Promise(requestAnimationFrame)")
    assert (
        page.evaluate("() => asked.length") <= 12
    )  # and Streamlit takes for shown what is: it does not ask on and on


def test_a_chart_that_was_not_drawn_again_heeds_what_is_done_to_it(page: Page) -> None:
    open_page(page, "/margin")
    plot = page.locator(".js-plotly-plot").first
    expect(plot.locator(".main-svg").first).to_be_attached()
    wide = plot.evaluate("plot => plot._fullLayout.width")
    plot.evaluate("plot => Plotly.relayout(plot, {'xaxis.range': [0.5, 1.5]})")
    assert plot.evaluate("plot => plot._fullLayout.xaxis.range") == [0.5, 1.5]
    page.set_viewport_size({"width": 900, "height": 900})
    page.wait_for_function(
        f"() => document.querySelector('.js-plotly-plot')._fullLayout.width != {wide}"
    )
    assert plot.evaluate("plot => plot._fullLayout.xaxis.range") == [0.5, 1.5]
    settled(page)  # what the new width draws may not have ended
    plot.evaluate("plot => Plotly.relayout(plot, {'xaxis.autorange': true})")
    assert plot.evaluate("plot => plot._fullLayout.xaxis.range") != [0.5, 1.5]
