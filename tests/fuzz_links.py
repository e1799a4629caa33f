"""Links as pages write them, with other values: read, written again, and given to their page."""

from collections import Counter
from datetime import date
from functools import partial

import numpy as np
from numpy.random import Generator

from dpviz.base.errors import ParameterError
from dpviz.base.parameters import Parameter, declared_parameters
from dpviz.data.examples import EXAMPLES
from dpviz.data.generators import GENERATORS
from dpviz.pages import NAMES, load_page_view
from dpviz.pages.common import PageSubject
from dpviz.studies.scenario import Scenario
from dpviz.topk import TOP_K
from tests.fuzz_scenarios import STORED, damaged, one_sentence

DAMAGED = 0.05  # of all links
TODAY = date(2026, 1, 1)


def value(declared: Parameter, rng: Generator) -> str:
    """Some value that a declaration allows, as a link has it."""
    if declared.choices is not None:
        return str(rng.choice(list(declared.choices)))
    if isinstance(declared.default, bool):
        return str(bool(rng.integers(2))).lower()
    low, high = declared.low or 0.0, min(declared.high or 40.0, 40.0)
    if declared.integer:
        return str(int(rng.integers(int(low), max(int(high), int(low)) + 1)))
    return repr(float(rng.uniform(low, high)) or 0.5)


def mechanism(rng: Generator) -> str:
    """A design."""
    name = str(rng.choice([*TOP_K]))
    declared = [each for each in declared_parameters(TOP_K[name]) if each.default is not None]
    own = [each for each in declared if each.name not in {"epsilon", "k"}]
    told = [f"{each.name}={value(each, rng)}" for each in own if rng.random() < 0.5]
    return ";".join([name, *told])


def data(rng: Generator) -> dict[str, str]:
    """An example, or a shape of few items."""
    if rng.random() < 0.5:
        return {"data": f"example:{rng.choice([*EXAMPLES])}"}
    name = str(rng.choice([*GENERATORS]))
    declared = [each for each in declared_parameters(GENERATORS[name]) if rng.random() < 0.4]
    own = {f"data.{each.name}": value(each, rng) for each in declared}
    return {"data": f"generated:{name}", **own, "data.size": str(int(rng.integers(12, 60)))}


def real_link(page: str, rng: Generator) -> dict[str, str]:
    """A link of a page that may well have been shared."""
    stored = [each["link"] for each in STORED if each["page"] == page] or [STORED[0]["link"]]
    query = dict(stored[int(rng.integers(len(stored)))])
    for _ in range(int(rng.integers(1, 5))):
        other = stored[int(rng.integers(len(stored)))]
        pages = {key: told for key, told in other.items() if key.startswith("page.")}
        match int(rng.integers(6)):
            case 0:
                query["epsilon"] = repr(float(10 ** rng.uniform(-4, 3)))
            case 1:
                query["k"] = str(int(rng.integers(1, 6)))
            case 2:
                rest = {key: told for key, told in query.items() if not key.startswith("data")}
                query = rest | data(rng)
            case 3:
                query[f"m{int(rng.integers(1, 3))}"] = mechanism(rng)
            case 4:
                query["seed"] = str(int(rng.integers(2**32)))
            case _:
                query |= {key: told for key, told in pages.items() if rng.random() < 0.5}
    return damaged(query, rng) if rng.random() < DAMAGED else query


def try_real(page: str, query: dict[str, str]) -> str:
    """What came of a link: "unread", "refused" by its page, or "shown"."""
    try:
        scenario = Scenario.from_query(query)
    except ParameterError as err:
        one_sentence(err)
        return "unread"
    assert Scenario.from_query(scenario.to_query()) == scenario
    if scenario.needs_data:
        return "shown"
    view, of, outcome = load_page_view(page), PageSubject(scenario), "shown"
    provenance = partial(view.provenance, date=TODAY)
    for function in (provenance, view.data_disclosure, view.slider_quantity):
        try:
            function(of)
        except ParameterError as err:
            one_sentence(err)
            outcome = "refused"
    return outcome


def try_many(cases: int, seed: int) -> Counter[str]:
    """What came of so many, page by page in turn; a case that breaks is named."""
    seen: Counter[str] = Counter()
    for case in range(cases):
        page = NAMES[case % len(NAMES)]
        query = real_link(page, np.random.default_rng([seed, case]))
        try:
            seen[try_real(page, query)] += 1
        except Exception as err:
            raise AssertionError(f"{page} {seed} {case}: {query}") from err
    return seen
