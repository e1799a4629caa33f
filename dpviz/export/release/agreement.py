"""Agreement of a sheet with itself: nothing is released by a sheet that contradicts itself.

Invariant: a stated cost may be larger than today's, as an older account was looser, never smaller.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from dpviz.base import check_number
from dpviz.export.release.plan import ReleasePlan
from dpviz.export.release.refusal import Refusal
from dpviz.privacy.composition import compose, smallest_total
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Question
from dpviz.studies.decision.costs import releases_cost
from dpviz.studies.decision.other_lists import OtherLists, read_other_lists

_CLOSE: Final = 1e-4  # of a cost: the words of a sheet have four digits
_Pair = tuple[str, Any, str, Any]


def check_sheet_consistency(
    sheet: Mapping[str, Any], plan: ReleasePlan, script_plan: ReleasePlan | None
) -> None:
    """Raise `Refusal` where the places of a sheet, as JSON, contradict each other."""
    if sheet["decision"].get("publish") and sheet.get("release_code") == "":
        raise Refusal(
            "The sheet contradicts itself: decision.publish is true, and there is no release_code."
        )
    pairs = [*_scenario(sheet, plan), *_repeated(sheet, plan)]
    if script_plan is not None:
        said, repeated = plan.plan_without_review_date, script_plan.plan_without_review_date
        pairs[:0] = [
            (f"decision.{name}", value, f"{name} in release_code", repeated[name])
            for name, value in said.items()
        ]
    for one, here, other, there in pairs:
        if here != there:
            raise Refusal(
                f"The sheet contradicts itself: {one} is {here!r}, and {other} is {there!r}."
            )
    for place, stated, least in _costs(sheet, plan):
        if check_number(place, stated) < least * (1 - _CLOSE):
            raise Refusal(
                f"The sheet contradicts itself: {place} is {stated!r}, and its plan, with ε ="
                f" {plan.epsilon!r} for one release, needs {least:.4g}."
            )


def _scenario(sheet: Mapping[str, Any], plan: ReleasePlan) -> Iterator[_Pair]:
    if (scenario := _at(sheet, "decision.scenario")) is None:
        return
    here, unit = "decision.scenario", _at(scenario, "data.unit") or "person"
    releases = _page(sheet, "releases", plan.releases)
    for place, value, there, said in (
        ("epsilon", plan.epsilon, "epsilon", _at(scenario, "epsilon")),
        ("published.k", plan.k, "k", _at(scenario, "k")),
        ("published.name", plan.name, "name", _at(scenario, "name") or ""),
        ("published.releases", plan.releases, "page", releases),
        ("protected.unit_of_privacy", plan.unit, "data.unit", unit),
        *(
            (
                f"protected.{name}",
                getattr(plan, name),
                f"data.{name}",
                _at(scenario, f"data.{name}"),
            )
            for name in ("sensitivity", "monotonic", "contributions", "items_known")
        ),
    ):
        yield f"decision.{place}", value, f"{here}.{there}", said
    taken = {"mechanism": plan.design.mechanism, "parameters": dict(plan.design.parameters)}
    designs = _at(scenario, "designs")
    if not isinstance(designs, list) or taken not in designs:
        yield "decision.mechanism", taken, f"{here}.designs", designs
    for place, name in (("most_right_of_100", "most_right"), ("most_epsilon", "most_epsilon")):
        said = _at(sheet, f"decision.accepted.{place}")
        yield f"decision.accepted.{place}", said, f"{here}.page", _page(sheet, name, None)


def _repeated(sheet: Mapping[str, Any], plan: ReleasePlan) -> Iterator[_Pair]:
    """Yield what deployment and account repeat; what an older sheet does not say is skipped."""
    spent, delta = plan.mechanism.delta_spent, _delta(sheet)
    each = _each(sheet, plan) + sum(one.times for one in _others(sheet))
    loss = "deployment.privacy_loss.privacy_parameters"
    for place, named, value in (
        (f"{loss}.epsilon", "decision.epsilon", plan.epsilon),
        ("deployment.dp_flavor.bound_on_output_distance", "decision.epsilon", plan.epsilon),
        (f"{loss}.delta", "δ of the mechanism", spent),
        ("decision.delta", "δ of the mechanism", spent),
        (f"{loss}.rho", "decision.rho", _at(sheet, "decision.rho")),
        (f"{_account(sheet)}.releases", "how many releases one counts in", each),
        (f"{_account(sheet)}.delta", "δ of all releases", delta),
        ("decision.delta_of_all", "δ in decision.scenario.page", _page(sheet, "delta", delta)),
    ):
        said = _at(sheet, place)
        if said is not None:
            yield place, said, named, value


def _costs(sheet: Mapping[str, Any], plan: ReleasePlan) -> Iterator[tuple[str, Any, float]]:
    """Yield each figure that follows from the plan: its place, as stated, and its value today."""
    m, each, delta, account = plan.mechanism, _each(sheet, plan), _delta(sheet), _account(sheet)
    person: dict[str, Any] = {"contributions": plan.contributions, "monotonic": plan.monotonic}
    if (rho := _at(sheet, "decision.rho")) is not None and m.zcdp is not None:
        yield "decision.rho", rho, m.zcdp
    if _at(sheet, account) is None:
        return
    composed = compose([(m, each), *_others(sheet)], delta=delta, **person)
    if (rho := _at(sheet, f"{account}.rho")) is not None:
        yield f"{account}.rho", rho, composed.rho
    for way in composed.ways:
        stated = _at(sheet, f"{account}.ways.{way.name}")
        if way.epsilon is not None and stated is not None:
            yield f"{account}.ways.{way.name}", stated, way.epsilon
    data = DataSpec(source="uploaded", **person)
    question = Question(k=plan.k, data=data, delta=delta, also=_page(sheet, "also", ""))
    for place, releases in (("decision", each), ("decision.everyone", plan.releases)):
        if (total := _at(sheet, f"{place}.total.epsilon")) is not None:
            at = check_number(f"{place}.total.delta", _at(sheet, f"{place}.total.delta"))
            least = smallest_total([(m, releases), *_others(sheet)], delta=at, **person)
            yield f"{place}.total", total, float("inf") if least is None else least.epsilon
        if (guess := _at(sheet, f"{place}.guess_at_most")) is not None:
            yield f"{place}.guess_at_most", guess, releases_cost(m, releases, question).guess


def _account(sheet: Mapping[str, Any]) -> str:
    """The place of the totals by each way; in version 1 they were called the total."""
    return "decision.account" if _at(sheet, "decision.account") is not None else "decision.total"


def _each(sheet: Mapping[str, Any], plan: ReleasePlan) -> int:
    most = _page(sheet, "counts_in", plan.releases)
    return min(int(check_number("decide.counts_in", most, low=1.0)), plan.releases)


def _others(sheet: Mapping[str, Any]) -> tuple[OtherLists, ...]:
    """Other lists about the same people, which the totals hold."""
    return read_other_lists(_page(sheet, "also", ""))


def _delta(sheet: Mapping[str, Any]) -> float:
    said = _at(sheet, "decision.delta_of_all")
    said = _at(sheet, f"{_account(sheet)}.delta") if said is None else said
    return (
        0.0
        if said is None
        else check_number("δ of all releases", said, low=0.0, high=1.0, below=True)
    )


def _page(sheet: Mapping[str, Any], name: str, otherwise: Any) -> Any:
    page = _at(sheet, "decision.scenario.page")
    return page.get(f"decide.{name}", otherwise) if isinstance(page, Mapping) else otherwise


def _at(part: Any, place: str) -> Any:
    for name in place.split("."):
        part = part.get(name) if isinstance(part, Mapping) else None
    return part
