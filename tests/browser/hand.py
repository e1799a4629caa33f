"""The slider of ε, and a hand on it."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Locator, Page


def epsilon(page: Page) -> Locator:
    return page.get_by_role("slider", name="ε, the privacy budget")


def value(page: Page) -> float:
    return float((epsilon(page).get_attribute("aria-valuetext") or "").partition(":")[0])


@contextmanager
def pressed(page: Page, share: float) -> Iterator[None]:
    """The slider is held, `share` of its way along."""
    box = epsilon(page).bounding_box()
    assert box is not None
    high = box["y"] + box["height"] / 2
    page.mouse.down()
    page.mouse.move(box["x"] + share * box["width"], high, steps=4)
    yield
    page.mouse.up()
