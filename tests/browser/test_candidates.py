"""The candidates page in a real browser: γ, rules, the total ε, a run table of one's own, the
views.
"""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from dpviz import NegativeBinomialRepeats, RandomStopping
from dpviz.candidates.trained_runs import logistic_regression_runs
from dpviz.candidates.utility import rule_utility
from dpviz.charts.text_format import percent
from tests.browser.steps import nudge, open_page, ready, settings


def figure(page: Page, name: str) -> Locator:
    """The value on the card with this name."""
    card = page.locator(".dp-card").filter(
        has=page.locator(".dp-name", has_text=re.compile(f"^{name}"))
    )
    return card.locator(".dp-value").first


def choose(page: Page, label: str, option: str) -> None:
    page.get_by_role("combobox", name=label).first.click()
    page.get_by_role("option", name=option, exact=True).click()
    ready(page)


@pytest.mark.long
def test_built_in_candidates_from_the_first_look_to_the_last_view(page: Page) -> None:
    open_page(page, "/candidates")
    pool = logistic_regression_runs(people=600, epsilon=0.5, runs=200, seed=0).pool
    expect(figure(page, "Total ε")).to_have_text("1.5")
    within = rule_utility(RandomStopping(stop=0.01).distribution(pool), 0.05).within
    expect(figure(page, "In the top")).to_have_text(percent(within))
    expect(page.locator(".st-key-chosen .bars .point").first).to_be_attached()
    settings(page, "rule")
    nudge(page, "Stop chance γ", steps=1)
    expect(figure(page, "Runs")).to_have_text("66.67")
    page.wait_for_url("**page.pc.stop=0.015**")
    choose(page, "Rule", "Negative binomial repeats")
    expect(figure(page, "Total ε")).to_have_text("1")
    rule = NegativeBinomialRepeats(stop=0.015)
    expect(figure(page, "In the top")).to_have_text(
        percent(rule_utility(rule.distribution(pool), 0.05).within)
    )
    page.get_by_role("radio", name="What it costs").click()
    expect(page.get_by_text("Publishing the best of one run each costs ε = 5")).to_be_visible()
    page.get_by_text("If every run is a Gaussian mechanism").click()
    expect(page.get_by_role("spinbutton", name="Noise of one run")).to_have_value("4")
    page.get_by_role("radio", name="When to stop").click()
    expect(page.locator(".st-key-stops_within .scatterlayer path.js-line").first).to_be_attached()
    page.get_by_role("radio", name="Find a good one").click()
    expect(figure(page, "None")).to_be_visible()
    page.get_by_role("radio", name="What leaks").click()
    expect(page.get_by_text("54.6 times as often")).to_be_visible()
    page.reload()
    ready(page)
    expect(page.get_by_role("radio", name="What leaks")).to_be_checked()
    expect(page.get_by_role("spinbutton", name="γ, exactly")).to_have_value("0.015")


def test_a_table_is_typed(page: Page) -> None:
    open_page(page, "/candidates?page.pc.pool=typed&page.pc.epsilon1=0.3")
    expect(figure(page, "Total ε")).to_have_text("0.9")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    page.get_by_role("button", name="Use this table").click()
    expect(page.get_by_test_id("stDataFrame")).to_have_count(0)
    expect(page.get_by_role("heading", name="Which of 4 private candidates")).to_be_visible()
