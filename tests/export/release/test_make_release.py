"""A release is made once: the record is there before the draw."""

import json
import tomllib
from collections import Counter
from contextlib import nullcontext
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpviz.export.release import (
    NamedCounts,
    Refusal,
    Release,
    ReleasePlan,
    ReleaseRecord,
    make_release,
    release_tools,
)
from dpviz.export.release import release_making as making
from dpviz.studies import Design

COUNTS = NamedCounts("counts.csv", ("a", "b", "c", "d"), (918273, 40, 918273, 7))


def plan(**changes: Any) -> ReleasePlan:
    said: dict[str, Any] = {"name": "Trips", "k": 2, "releases": 3, "unit": "person"}
    said |= {"sensitivity": 1.0, "monotonic": True, "contributions": None, "items_known": True}
    return ReleasePlan(**said | {"design": Design(), "epsilon": 3.0} | changes)


def made(record: ReleaseRecord, number: int = 1, counts: NamedCounts = COUNTS) -> Release:
    return make_release(
        record.plan,
        counts,
        number=number,
        record=record,
        sheet_digest="0f",
        notify_recorded=lambda: None,
    )


@pytest.fixture
def record(tmp_path: Path) -> ReleaseRecord:
    return ReleaseRecord.from_sheet(tmp_path / "sheet.json", plan())


@pytest.mark.parametrize(
    ("day", "refused"), [("2027-05-03", False), ("2027-05-04", False), ("2027-05-05", True)]
)
def test_a_decision_holds_until_the_end_of_its_review_date(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, day: str, refused: bool
) -> None:
    class Day(date):
        @classmethod
        def today(cls) -> date:
            return date.fromisoformat(day)

    monkeypatch.setattr(making, "date", Day)
    record = ReleaseRecord.from_sheet(tmp_path / "sheet.json", plan(review_date=date(2027, 5, 4)))
    with pytest.raises(Refusal, match="2027-05-04") if refused else nullcontext():
        made(record)
    assert record.path.exists() is not refused


def lines(record: ReleaseRecord) -> list[dict[str, Any]]:
    return [json.loads(line) for line in record.path.read_text(encoding="utf-8").splitlines()]


def test_a_release_and_its_record(record: ReleaseRecord) -> None:
    assert made(record) == Release(("a", "c"), None)
    (line,) = lines(record)
    told = {"release": 1, "of": 3, "epsilon": 3.0, "sheet": "0f", "plan": plan().digest}
    assert line.items() >= (told | {"drawn_by": "dpviz, whole numbers"}).items()
    assert line["time"].endswith("+00:00")
    text = record.path.read_text(encoding="utf-8")
    assert not any(score in text for score in ("918273", '"a"', '"c"'))


def test_each_release_of_the_plan_is_made_once_and_none_after_the_last(
    record: ReleaseRecord,
) -> None:
    with pytest.raises(Refusal, match="Release 1 of 3 comes next, not 2"):
        made(record, 2)
    assert not record.path.exists()
    for number in (1, 2, 3):
        made(record, number)
        if number < 3:
            again = f"Release {number} of 3 has been made: .* say --number {number + 1}"
            with pytest.raises(Refusal, match=again):
                made(record, number)
    before = record.path.read_bytes()
    over = "All releases of the plan have been made: 3 of 3"
    for number, message in ((1, over), (3, over), (4, "there is no release 4")):
        with pytest.raises(Refusal, match=message):
            made(record, number)
    assert record.path.read_bytes() == before
    assert [line["release"] for line in lines(record)] == [1, 2, 3]


def test_it_is_recorded_before_it_is_drawn_and_stays_so_where_the_draw_fails(
    record: ReleaseRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def prepared(self: release_tools.ReleaseTool, *given: object) -> release_tools.Draw:
        assert not record.path.exists()

        def draw() -> release_tools.Drawn:
            seen.append(lines(record))
            raise KeyboardInterrupt

        return draw

    monkeypatch.setattr(release_tools.ReleaseTool, "prepare_draw", prepared)
    with pytest.raises(KeyboardInterrupt):
        made(record)
    assert len(seen[0]) == 1
    with pytest.raises(Refusal, match="its ε is spent"):
        made(record)


@pytest.mark.parametrize(
    ("counts", "changes"),
    [(NamedCounts("counts.csv", ("a", "b"), (1, 2)), {}), (COUNTS, {"sensitivity": 1e-300})],
)
def test_what_cannot_be_drawn_spends_nothing(
    counts: NamedCounts, changes: dict[str, Any], tmp_path: Path
) -> None:
    record = ReleaseRecord(tmp_path / "record", plan(**changes))
    with pytest.raises(ValueError):  # noqa: PT011 - either
        made(record, counts=counts)
    assert not record.path.exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"dpviz": "release", "release": 1', "The last line of .* is cut off"),
        (b"item,count\n", "Line 1 of .* is not a line of a release record"),
        (b'{"dpviz": "release", "release": 2}\n', "Line 1 of .* is not a line of a release record"),
        (b'{"dpviz": "release", "release": 1, "plan": "x"}\n', "is the record of another plan"),
        (b"[" * 100_000 + b"\n", "Line 1 of .* is not"),
    ],
)
def test_a_file_that_is_no_record_of_this_plan_is_left_alone(
    tmp_path: Path, content: bytes, message: str
) -> None:
    record = ReleaseRecord(tmp_path / "record", plan())
    record.path.write_bytes(content)
    with pytest.raises(Refusal, match=message):
        made(record)
    assert record.path.read_bytes() == content


@pytest.mark.parametrize("there", [None, "0.14.1"])
def test_without_opendp_as_it_is_pinned_nothing_is_spent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: str | None
) -> None:
    def version(name: str) -> str:
        if there is None:
            raise release_tools.PackageNotFoundError(name)
        return there

    monkeypatch.setattr(release_tools, "version", version)
    record = ReleaseRecord(tmp_path / "record", plan(design=Design(mechanism="one_shot")))
    with pytest.raises(Refusal, match=r"is drawn by OpenDP.*: pip install opendp==0\.16\.0\."):
        made(record)
    assert not record.path.exists()


def test_the_version_pinned_is_the_one_that_the_extra_installs() -> None:
    pyproject = Path(__file__).resolve().parents[3] / "pyproject.toml"
    extras = tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]
    assert extras["optional-dependencies"]["release"] == [f"opendp=={release_tools.OPENDP}"]


def test_equal_counts_have_equal_chances_whatever_their_names(tmp_path: Path) -> None:
    equal = NamedCounts("counts.csv", ("a", "b", "c"), (5, 5, 5))
    chosen = Counter(
        made(ReleaseRecord(tmp_path / str(i), plan(k=1)), counts=equal).names for i in range(300)
    )
    assert min(chosen["a",], chosen["b",], chosen["c",]) > 40  # of 100 expected: below 1e-12


NAMELESS: dict[str, Any] = {"items_known": False, "contributions": 2, "epsilon": 1.0}
OCCURRING = NamedCounts("counts.csv", ("a", "b", "c"), (24, 21, 17))
LAPLACE = Design(mechanism="threshold_counts", parameters={"delta": 1e-3})


@pytest.mark.parametrize(
    "design",
    [
        LAPLACE,
        Design(mechanism="threshold_counts", parameters={"delta": 1e-3, "noise": "gaussian"}),
        Design(mechanism="limited_domain", parameters={"delta": 1e-3}),
    ],
    ids=lambda design: design.label,
)
def test_names_that_were_not_known_come_out_as_often_as_the_law_says(
    tmp_path: Path, design: Design
) -> None:
    wanted = plan(design=design, k=2, releases=10**6, **NAMELESS)
    scores = OCCURRING.scores(wanted)
    draw = release_tools.select_tool(wanted.mechanism, 2).prepare_draw(wanted.mechanism, scores)
    law, times = wanted.mechanism.distribution(scores), 1500
    drawn = Counter(tuple(sorted(item for item, _ in draw())) for _ in range(times))
    lists = [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]
    assert set(drawn) <= set(lists)
    chances = [float(np.exp(law.log_probability(list(one)))) for one in lists]
    assert sum(chances) == pytest.approx(1.0, abs=1e-6)
    for one, chance in zip(lists, chances, strict=True):
        room = 5 * (chance * (1 - chance) / times) ** 0.5 + 1e-3
        assert drawn[one] / times == pytest.approx(chance, abs=room)


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
@pytest.mark.parametrize("contributions", [1, 3, 40])
@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 1e-7), (8.0, 1e-3), (0.05, 1e-10)])
def test_opendp_claims_no_more_for_a_threshold_than_the_sheet_and_hardly_less(
    contributions: int, epsilon: float, delta: float, noise: str
) -> None:
    person = NAMELESS | {"contributions": contributions, "epsilon": epsilon}
    design = Design(mechanism="threshold_counts", parameters={"noise": noise, "delta": delta})
    wanted = plan(design=design, **person)
    m, scores = wanted.mechanism, OCCURRING.scores(wanted)
    measurement, apart = release_tools.opendp_threshold_and_distances(m, scores)  # type: ignore[arg-type]
    spent, new = measurement.map(apart)
    ours = m.epsilon if noise == "laplace" else m.zcdp
    assert ours is not None
    assert spent <= ours
    assert ours == pytest.approx(spent, rel=1e-6) or noise == "gaussian"  # which may take more σ
    assert delta * (1 - 1e-3) <= new <= delta


def test_no_mechanism_whose_names_or_counts_come_with_a_delta_is_drawn_in_floating_point() -> None:
    """Their noise is OpenDP's, with each of their noises and either kind of neighbour."""
    for name in ("gaussian_counts", "threshold_counts", "limited_domain"):
        for noise in ("laplace", "gaussian"):
            said = {"noise": noise} if name == "threshold_counts" else {}
            m = Design(mechanism=name, parameters=said).build(1.0, 2)
            assert release_tools.select_tool(m, 2).name == "OpenDP"
