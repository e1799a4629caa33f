"""A page as it is printed."""

from playwright.sync_api import Page

A4 = 690  # pixels between the margins of static/print.css
WIDER = f"""() => [...document.querySelectorAll('.stMainBlockContainer *')]
    .filter((e) => !e.ownerSVGElement && !e.parentElement.closest('.stDataFrame'))
    .filter((e) => {{ const box = e.getBoundingClientRect(); return box.width && box.right > {A4 + 1}; }})
    .map((e) => `${{e.tagName}} ${{e.getAttribute('class')}} ${{Math.round(e.getBoundingClientRect().right)}}`)"""
MAIN = ".stMainBlockContainer"


def told(page: Page) -> dict[str, str]:
    """The block that stands on prints alone."""
    pairs = (
        page.locator(".dp-about dt").all_text_contents(),
        page.locator(".dp-about dd").all_text_contents(),
    )
    return dict(zip(*pairs, strict=True))


def turn_to_paper(page: Page) -> None:
    """As the browser does for a print, on the paper that print.css asks for."""
    page.set_viewport_size({"width": A4, "height": 980})
    page.emulate_media(media="print")
    page.wait_for_function(
        f"() => [...document.querySelectorAll('.js-plotly-plot')].every("
        f"(plot) => plot.getBoundingClientRect().width <= {A4 + 1} && plot.dpvizScreen)"
    )
