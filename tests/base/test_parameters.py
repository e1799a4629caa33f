"""Parameters declared once, registries as menus, and the sentences of their errors."""

import math
import pickle
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, replace
from fractions import Fraction

import numpy as np
import pytest

from dpviz import (
    CANDIDATES,
    GAPS,
    NOISES,
    THRESHOLD,
    TOP_K,
    TOP_ONE,
    OneShot,
    ParameterError,
    PercentileSparseVector,
    PoissonRepeats,
    RandomStopping,
    Scores,
    ThresholdSearch,
    smallest_epsilon,
)
from dpviz.base.parameters import (
    check_choice,
    check_integer,
    check_number,
    check_parameters,
    declared_parameters,
    parameter,
)
from dpviz.base.registry import Registry
from dpviz.data.reading import read_pasted_text
from tests.test_seeds import made

MENUS = (TOP_K, GAPS, THRESHOLD, TOP_ONE, CANDIDATES)
OWNERS = [*(entry for menu in MENUS for entry in menu.values()), PercentileSparseVector]


@dataclass(frozen=True, kw_only=True)
class Dial:
    level: float = parameter(low=0.0, above=True, high=2.0, label="Level", help="How loud.")
    steps: int = parameter(3, low=1, integer=True, label="Steps")
    noise: str = parameter("gumbel", choices=NOISES, label="Noise")
    undeclared: object = None

    def __post_init__(self) -> None:
        check_parameters(self)


@pytest.mark.parametrize("owner", [*OWNERS, ThresholdSearch], ids=lambda owner: owner.__name__)
def test_an_end_is_refused_exactly_where_it_is_declared_so(owner: type) -> None:
    for p in declared_parameters(owner):
        for end, refused in ((p.low, p.above), (p.high, p.below)):
            if end is None or p.is_optional:
                continue
            try:
                replace(made(owner), **{p.name: end})
                said = ""
            except ParameterError as err:
                said = err.parameter
            assert (said == p.name) is refused, (p.name, end)


def test_declared_parameters_are_listed_with_all_they_say() -> None:
    level, steps, noise = declared_parameters(Dial)
    assert (level.name, level.label, level.help) == ("level", "Level", "How loud.")
    assert (level.is_required, level.default) == (True, MISSING)
    assert (steps.default, steps.integer, steps.low, steps.high) == (3, True, 1, None)
    assert noise.choices is NOISES
    dial = Dial(level=np.float32(0.5), steps=np.int64(4))
    assert (type(dial.level), type(dial.steps)) == (float, int)
    assert check_number("x", Fraction(1, 4)) == 0.25


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        *(
            ({"level": bad}, f"level must be a number above 0 and at most 2, not {bad!r}."[:60])
            for bad in (0, 2.5, math.nan, math.inf, True, "1", None, 1j, 10**400)
        ),
        *(
            ({"level": 1, "steps": bad}, f"steps must be a whole number of at least 1, not {bad}.")
            for bad in (2.0, False, 0)
        ),
        ({"level": 1, "noise": "x"}, "noise must be one of gumbel, exponential, laplace, logistic"),
        ({"level": 1, "noise": ["gumbel"]}, "noise must be one of gumbel"),
    ],
)
def test_a_wrong_parameter_gives_one_sentence(told: dict[str, object], sentence: str) -> None:
    with pytest.raises(ParameterError) as caught:
        Dial(**told)  # type: ignore[arg-type]
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_errors_survive_pickling() -> None:
    error = ParameterError("epsilon", -1.0, "a number above 0")
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) == "epsilon must be a number above 0, not -1.0."
    assert (again.parameter, again.value) == ("epsilon", -1.0)


def test_registry_is_an_ordered_menu() -> None:
    menu: Registry[int] = Registry("dish")
    menu.add("soup", 1, label="Soup of the day", says="Take it when cold.")
    menu.add("bread", 2, label="Bread")
    assert list(menu) == ["soup", "bread"]
    assert (menu.label("soup"), menu.says("soup")) == ("Soup of the day", "Take it when cold.")
    assert menu.entry_name(menu["bread"]) == "bread"
    for call, says in (
        (lambda: menu["cake"], "dish must be one of soup, bread, not 'cake'"),
        (lambda: menu.add("soup", 5, label="Again"), "dish must be a name not registered before"),
        (lambda: menu.entry_name(99), "dish must be registered"),
    ):
        with pytest.raises(ParameterError, match=says):
            call()


@pytest.mark.parametrize("name", list(TOP_K))
def test_every_registered_mechanism_declares_all_its_fields(name: str) -> None:
    declared = declared_parameters(TOP_K[name])
    assert [p.attribute for p in declared] == [field.name for field in fields(TOP_K[name])]
    assert all(p.label and (p.choices is None or p.default in p.choices) for p in declared)


ONE = OneShot(epsilon=1.0, k=1)


@pytest.mark.parametrize(
    ("refused", "code"),
    [
        (lambda: check_number("x", 3, high=2), "range"),
        (lambda: check_integer("x", 2.0), "range"),
        (lambda: check_choice("way", "rhi", ("basic", "rho")), "choice"),
        (lambda: TOP_K["no such"], "choice"),
        (lambda: smallest_epsilon(ONE, Scores([1.0, 1.0, 0.0]), probability=0.9), "unreachable"),
        (lambda: smallest_epsilon(ONE, Scores([1.0, 0.0]), probability=1.0), "value"),
        (lambda: RandomStopping(stop=0.1).total_epsilon(0.5, 1e-6), "missing"),
        (lambda: PoissonRepeats(mean=9.0, delta=1e-6).total_epsilon(0.5, 1e-6), "pure"),
        (lambda: read_pasted_text(""), "value"),
    ],
)
def test_every_error_has_a_code_for_programs(refused: Callable[[], object], code: str) -> None:
    with pytest.raises(ParameterError) as caught:
        refused()
    assert caught.value.code == pickle.loads(pickle.dumps(caught.value)).code == code
