"""Every page at the corners of what may be asked: an ε of 0 or an exception is a fault."""

import re
from collections.abc import Mapping

from numpy.random import Generator
from streamlit.testing.v1 import AppTest

from dpviz.data import EXAMPLES
from dpviz.topk import EVENTS
from tests.app import SECTIONS, new_app
from tests.web.screens.waiting import run_when_computed

FOLDS = (
    *(
        "budgets",
        "by_k",
        "replay",
        "threshold_count",
        "threshold_coverage",
        "worth",
        "orders",
        "ratios",
        "bounds",
    ),
    *("universe", "promise", "margin_items", "scores", "runs", "goal", "particulars"),
    *SECTIONS,
)
DATA = {"class_trip": 6, "canteen_ratings": 30, "help_line": 60, "zipf": 12, "two_clusters": 23}
"""The names of data with how many items they have."""
_LOOKS = 8  # runs of a page until all of it is there


def of_data(name: str) -> dict[str, str]:
    """What a link says of them."""
    if name in EXAMPLES:
        return {"data": f"example:{name}"}
    return {"data": f"generated:{name}", "data.size": f"{DATA[name]}"}


def goal(k: int, rng: Generator) -> str:
    """A goal at a corner: any number right, or any event, nearly never or nearly always."""
    share = rng.choice(["0.000001", "0.001", "0.5", "0.9", "0.999", "0.999999"])
    event = str(rng.choice([*EVENTS, "share", *["hits"] * len(EVENTS)]))
    at_least = int(rng.choice([1, (k + 1) // 2, k]))
    return f"{f'{at_least} of {k}' if event == 'hits' else event} in {share}"


def corner(page: str, rng: Generator) -> dict[str, str]:
    """A link of a page."""
    name = str(rng.choice([*DATA]))
    d = DATA[name]
    k = int(rng.choice([1, d // 2, d - 2, d - 1, d - 1, int(rng.integers(1, d))]))
    epsilon = str(rng.choice(["1e-06", "0.001", "0.2", "5.0", "1000.0"]))
    query = of_data(name) | {"k": f"{k}", "epsilon": epsilon}
    if page != "decide":
        return query
    screens = ["answer", "answer", "answer", "good", "published"]
    query["page.decide.screen"] = str(rng.choice(screens))
    for setting, values in {
        "page.decide.goal": [goal(k, rng)],
        "page.decide.releases": ["52", "100000"],
        "page.decide.delta": ["0.0", "0.5", "1e-15"],
        "page.decide.most_right": ["51", "99"],
        "page.decide.smaller": ["0.001"],
        "page.decide.larger": ["1000.0"],
        "page.decide.fixed": ["true"],
        "items_known": ["false"],
        "contributions": ["1", f"{d}"],
        "monotonic": ["false"],
    }.items():
        if rng.random() < (0.7 if setting.endswith("goal") else 0.25):
            query[setting] = str(rng.choice(values))
    return query


def shown(page: str, query: Mapping[str, str]) -> AppTest:
    """A page with all of its folds open, once everything on it has come."""
    app = new_app()
    for key, value in query.items():
        app.query_params[key] = value
    for fold in FOLDS:
        app.session_state[f"{fold}_fold"] = True
    app.switch_page(f"pages/{page}.py").run()
    for _ in range(_LOOKS):
        fail_where_wrong(app, (page, dict(query)))
        before = said(app)
        run_when_computed(app)
        if said(app) == before:
            break
    fail_where_wrong(app, (page, dict(query)))
    return app


def said(app: AppTest) -> list[str]:
    """All fragments of HTML on a page."""
    return [element.proto.body for element in app.get("html")]


def fail_where_wrong(app: AppTest, case: object) -> None:
    """Raise where a page shows an exception, a failed computation, or a heading with an ε of 0."""
    assert not app.exception, (case, [each.value for each in app.exception])
    assert not [each.value for each in app.error if "failed" in each.value], case
    for heading in re.findall(r"<h\d.*?</h\d>", " ".join(said(app)), re.DOTALL):
        assert not re.search(r"ε = 0(?![.,]?\d)", heading), (case, heading)
