"""Is there a catalogue? One question on every page; what needs them is marked and left
out of advice.
"""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpviz import TOP_K, Peeling, smallest_epsilon
from dpviz.base import NAMES_UNKNOWN, unknown_names_warning
from dpviz.charts import upper_bound_text
from dpviz.data import EXAMPLES
from dpviz.topk.limited_domain import LimitedDomain
from tests.names import names_may_appear
from tests.test_field_names import NAMES
from tests.web.screens.shown import control, errors, scenario, text
from tests.web.screens.waiting import run_when_computed

OpenPage = Callable[..., AppTest]
UNKNOWN = {"items_known": "false", "k": "2", "data": "example:class_trip"}


def answer(app: AppTest, known: bool) -> AppTest:
    control(app, "radio", "Do the items come from a list of their own").set_value(known).run()
    assert not app.exception, [told.value for told in app.exception]
    return app


def warned(app: AppTest) -> list[str]:
    return [told.value.replace("\\", "") for told in app.warning]


@pytest.mark.parametrize(
    ("page", "needs"),
    [
        ("explore", "Canonical"),
        ("compare", "Canonical, Peeling, One-shot"),
        ("gaps", "Noisy top-k with gap"),
        (
            "margin",
            "Large margin, Exponential mechanism, Max of Laplaces, Instability test, Generalised exponential",
        ),
        ("neighbours", "Canonical"),
    ],
)
def test_every_page_marks_what_needs_names(open_page: OpenPage, page: str, needs: str) -> None:
    app = open_page(page, data="example:class_trip", k="2")
    assert not app.warning
    assert NAMES_UNKNOWN not in text(app)
    answer(app, known=False)
    assert scenario(app).data.items_known is False
    assert warned(app) == [unknown_names_warning(needs)]
    assert NAMES_UNKNOWN in text(app)
    printed = f"none, so ε does not hold for {needs}"
    assert printed in text(app)
    answer(app, known=True)
    assert not app.warning


def test_the_answer_is_in_the_link_and_old_links_say_nothing_of_it(open_page: OpenPage) -> None:
    app = open_page("explore", data="example:class_trip", k="2")
    assert "items_known" not in app.query_params
    answer(app, known=False)
    assert app.query_params["items_known"] == "false"
    assert scenario(open_page("explore", **UNKNOWN)).data == scenario(app).data


def test_every_name_of_the_field_is_found_by_typing_in_a_menu(open_page: OpenPage) -> None:
    options = control(open_page("neighbours"), "selectbox", "Mechanism").options
    for menu, name, called in NAMES:
        assert any(called in option and menu.label(name) in option for option in options), called


def test_menus_mark_what_needs_names_and_no_epsilon_is_advised_of_it(open_page: OpenPage) -> None:
    with names_may_appear():
        app = open_page("explore", **UNKNOWN)
        menu = control(app, "selectbox", "Mechanism")
        assert TOP_K.searchable_label("canonical", "Canonical (needs a catalogue)") in menu.options
        assert "appear" in menu.options
        assert "no ε is valid without a list" in text(run_when_computed(app))
        assert not any(button.key == "goal_use" for button in app.button)
        menu.set_value("appear").run()
        assert not app.warning
        assert "needs ε" in text(run_when_computed(app))


def test_what_is_cheapest_is_said_of_what_holds_alone(open_page: OpenPage) -> None:
    with names_may_appear():
        app = open_page("compare", **UNKNOWN, m1="canonical", m2="peeling")
        assert "No mechanism here is valid" in text(run_when_computed(app))
        app = open_page("compare", **UNKNOWN, m1="canonical", m2="appear")
        run_when_computed(app)
        assert "not valid" in text(app)
        assert warned(app) == [unknown_names_warning("Canonical")]


def test_a_delta_has_a_slider_and_a_box_that_says_its_limits(open_page: OpenPage) -> None:
    with names_may_appear():
        app = open_page("explore", **UNKNOWN, m1="appear;delta=1e-09")
        slider = control(app, "select_slider", "δ")
        assert (slider.value, "1×10⁻⁶" in slider.options) == (1e-9, True)
        control(app, "number_input", "δ, exactly").set_value(0.7).run()
        assert "δ, exactly must be a number above 0 and at most 0.5" in errors(app)
        control(app, "number_input", "δ, exactly").set_value(3e-8).run()
        assert "delta=3e-08" in app.query_params["m1"]


def test_a_list_that_may_be_shorter_says_how_long_it_will_be(open_page: OpenPage) -> None:
    app = run_when_computed(
        open_page("explore", **UNKNOWN, m1="limited_domain;delta=0.01", epsilon="2")
    )
    law = LimitedDomain(epsilon=2.0, k=2, delta=0.01).distribution(EXAMPLES["class_trip"].scores())
    assert f"{law.expected_length:.2f} of 2 items on average" in text(app)
    assert "1 item, without " in text(app)
    assert "and δ = 0.01" in text(app)
    control(app, "number_input", "Candidates").set_value(1).run()
    assert "candidates must be at least k = 2" in errors(app)


def test_compare_says_what_a_list_of_names_is_worth(open_page: OpenPage) -> None:
    app = run_when_computed(
        open_page("compare", **UNKNOWN, m1="peeling", m2="limited_domain;delta=0.01")
    )
    scores = EXAMPLES["class_trip"].scores()
    known = smallest_epsilon(Peeling(epsilon=1.0, k=2), scores, probability=0.9)
    now = smallest_epsilon(LimitedDomain(epsilon=1.0, k=2, delta=0.01), scores, probability=0.9)
    assert f"would need ε = {upper_bound_text(known, digits=3)} with" in text(app)
    assert f"needs {now / known:.3g} times as much" in text(app)
