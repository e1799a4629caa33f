"""Explore and Decide where noise and threshold are stated: σ moves and ε is read."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from dpviz import Scores
from dpviz.data import EXAMPLES
from dpviz.topk.threshold_counts import ThresholdCounts
from tests.web.screens.shown import control, press, scenario, settled, words

OpenPage = Callable[..., AppTest]
HELP_LINE: Scores = EXAMPLES["help_line"].scores()
RULE = "threshold_counts;delta=1e-06;contributions=3;sigma=18.26;threshold=150"
DATA = {"data": "example:help_line", "contributions": "3", "k": "10"}


def test_explore_reads_epsilon_where_the_noise_is_stated(open_page: OpenPage) -> None:
    app = settled(open_page("explore", m1=RULE, **DATA))
    m = ThresholdCounts(sigma=18.26, threshold=150, contributions=3, k=10)
    assert f"ε = {m.epsilon + 5e-5:.4f} at δ = 1×10⁻⁶ follows from this." in words(app)
    assert "one with 180 in 95 of 100 releases" in words(app)
    control(app, "number_input", "σ, exactly").set_value(60.0).run()
    assert "standard deviation 60." in words(settled(app))
    assert scenario(app).designs[0].parameters["sigma"] == 60.0


def test_the_noise_of_a_threshold_can_be_stated_and_taken_back(open_page: OpenPage) -> None:
    app = open_page("explore", m1="threshold_counts", epsilon="1.0", **DATA)
    control(app, "checkbox", "The noise is stated").check().run()
    stated = scenario(app).designs[0]
    assert stated.stated_scale == "scale"
    m = ThresholdCounts(epsilon=1.0, k=10)
    data = Scores(HELP_LINE.values, monotonic=True, contributions=3)
    assert 1.0 <= stated.parameters["threshold"] / m.threshold(data) <= 1.01
    control(app, "checkbox", "The noise is stated").uncheck().run()
    assert scenario(app).designs[0].stated_scale is None
    assert not app.exception


def test_decide_takes_a_stated_rule_as_the_plan(open_page: OpenPage) -> None:
    page = {"page.decide.goal": "9 of 10 in 0.9", "page.decide.screen": "allowed"}
    app = open_page("decide", **DATA, **page)
    press(app, "We publish what passes a threshold")
    control(app, "number_input", "τ").set_value(150.0).run()
    control(app, "number_input", "σ").set_value(18.26).run()
    assert scenario(app).designs[0].parameters["threshold"] == 150.0
    app = settled(press(app, "The answer"))
    assert "The stated rule" in words(app)
    assert "ε = 0.3751 at δ = 1×10⁻⁶ follows from this." in words(app)
    assert not [each.value for each in app.error]


def test_the_papers_bounds_over_epsilon_leave_out_a_stated_noise(open_page: OpenPage) -> None:
    link = DATA | {"m1": RULE, "page.bounds": "true"}
    app = settled(open_page("compare", folded=True, m2="canonical", **link))
    assert "How low the worst item may score" in words(app)
    assert not [each.value for each in app.error]
    other = RULE.replace("18.26", "40")
    alone = settled(open_page("compare", folded=True, m2=other, **link))
    assert "How low the worst item may score" not in words(alone)


def test_neighbours_says_that_epsilon_follows(open_page: OpenPage) -> None:
    of = {"page.neighbours.items": "i0-9"}
    app = settled(open_page("neighbours", m1=RULE, **DATA, **of))
    assert "so the slider of ε changes nothing here" in words(app)
    assert "changes nothing here" not in words(settled(open_page("neighbours", **DATA, **of)))
