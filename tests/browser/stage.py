"""The strip at the top of every page about a scenario, with its controls."""

from playwright.sync_api import Locator, Page


def stage(page: Page) -> Locator:
    return page.locator(".st-key-stage")


def box(page: Page, label: str) -> Locator:
    """A number box on the stage."""
    return stage(page).get_by_role("spinbutton", name=label, exact=True)


def type_number(page: Page, label: str, value: str) -> None:
    box(page, label).fill(value)
    box(page, label).press("Enter")


def undo(page: Page) -> Locator:
    return stage(page).get_by_role("button", name="Undo")
