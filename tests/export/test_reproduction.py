"""The reproduction on made-up vectors: what the report says is what the library says."""

import html
import json
import re
from functools import partial

import numpy as np
import pytest

from dpviz import Canonical, OneShot, ParameterError, Peeling, Scores, smallest_epsilon
from dpviz.export.reproduction import PARTS, Reproduction, gaps, topk, unfinished_file, zipf
from dpviz.export.reproduction.claims import table
from dpviz.export.reproduction.claims.claim import CLAIMS
from dpviz.export.reproduction.report_jobs import (
    EXPECTED,
    ReportJob,
    estimate_seconds,
    read_vector_folder,
    run_jobs,
)
from tests.charts.drawn import Trace


def words_of(page: str) -> str:
    shown = re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]+>", "", shown))


def tables_of(page: str) -> list[list[list[str]]]:
    """The cells of every table, by row."""

    def parts(tag: str, text: str) -> list[str]:
        return re.findall(rf"<{tag}\b[^>]*>(.*?)</{tag}>", text, re.DOTALL)

    return [
        [[words_of(cell) for cell in parts("t[dh]", row)] for row in parts("tr", table)]
        for table in parts("table", page)
    ]


def items_of(paper: str, claims: list[str]) -> dict[str, str]:
    def is_there(told: object) -> bool:
        how, _, names = str(told).partition(": ")
        return how != "claim" or set(names.split(", ")) <= {*claims}

    return {item: told for item, told in table.ITEMS[paper].items() if is_there(told)}


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> tuple[str, tuple[str, ...], Scores]:
    """A report of two small vectors with cheap settings: (page, notes, the longer vector)."""
    patch = pytest.MonkeyPatch()
    cheap = {
        gaps: {"KS": (2, 5), "MEASURED_KS": (2, 5), "MEASURED_K": 2, "RUNS": 50},
        topk: {
            "KS": (3, 20),
            "NOISE_KS": (1,),
            "PROBABILITIES": (0.5, 0.9),
            "_CLOSE": 1e-3,
            "utility_curves": partial(topk.utility_curves, tolerance=1e-3),
        },
        zipf: {"KS": (3,), "SIZE": 30, "EXPONENTS": (0.0, 0.1, 0.3, 1.0)},
    }
    for module, settings in cheap.items():
        for name, value in settings.items():
            patch.setattr(module, name, value)
    patch.setattr(gaps, "MEASURED_EPSILONS", (0.1, 0.7))
    few = ["canonical.movies", "canonical.zipf", "free_gap.coverage", "large_margin.theorem_3"]
    few.append("candidates.best_of_k")
    patch.setattr(table, "CLAIMS", {name: CLAIMS[name] for name in few})
    patch.setattr(table, "ITEMS", {paper: items_of(paper, few) for paper in table.ITEMS})
    rng = np.random.default_rng(5)
    folder = tmp_path_factory.mktemp("data")
    long = np.sort(rng.integers(0, 5000, 24))
    (folder / "kosarak.csv").write_text("\n".join(map(str, rng.permutation(long))))
    (folder / "zoo <b>.csv").write_text("9\n7\n7\n7\n3\n1\n")
    (folder / "broken.csv").write_text("item,score\na,3\n")
    (folder / "notes.txt").write_text("no vector")
    work = Reproduction(folder, folder / "report.html", workers=1)
    page = work.page(work.compute_and_store_missing_results()).html()
    scores = read_vector_folder(folder).get("kosarak").scores
    patch.undo()
    return page, work.omission_notes, scores


@pytest.fixture(scope="module")
def tables(made) -> list[list[list[str]]]:
    return tables_of(made[0])


def test_the_papers_numbers_stand_beside_the_exact_ones(made, tables):
    claims = [one for one in tables if one[0][:2] == ["where", "what is claimed"]]
    rows = {row[1]: row for found in claims for row in found[1:]}
    assert len(rows) == 5
    movies = next(row for told, row in rows.items() if "17,700" in told)
    assert movies[2:] == ["17,700", "–", "needs the data", "Needs netflix.csv."]
    best = next(row for told, row in rows.items() if "best of K" in told)
    assert best[2:5] == ["1.2", "1.2", "agrees"]
    said = "each beside the exact one: 3 agree, 1 differs and 1 needs the papers’ data."
    assert f"5 printed numbers and bounds, {said}" in words_of(made[0])
    items = next(found for found in tables if found[0][:2] == ["paper", "item"])
    assert next(row for row in items if row[3].startswith("Part “gaps”. Kosarak"))[2] == "in part"


def test_what_is_left_out_is_said(made):
    words, told = words_of(made[0]), " ".join(made[1])
    assert "k = 20 left out: zoo <b> has only 6 items." in words
    assert "Ranks 2 to 4 tie: 2 of these 3 items belong to the top 3" in words
    reason = "entry 1 of broken.csv must be a count, not 'item,score'."
    for sentence in (told, words):
        assert f"broken.csv is left out: {reason}" in sentence
        assert "Not in the folder, so not in the report: netflix.csv" in sentence
    assert "kosarak.csv" not in told
    assert "values known from before are for netflix.csv, which the folder does not hold." in words


def test_the_numbers_are_the_librarys(made, tables):
    table = next(one for one in tables if one[0][:3] == ["vector", "k", "figure"])
    row = next(row for row in table if row[:3] == ["kosarak", "20", "TOP"])
    designs = [
        Canonical(epsilon=1.0, k=20),
        Canonical(epsilon=1.0, k=20, gamma=1.0),
        OneShot(epsilon=1.0, k=20, noise="exponential"),
        Peeling(epsilon=1.0, k=20),
        OneShot(epsilon=1.0, k=20, noise="laplace"),
    ]
    needed = [smallest_epsilon(m, made[2], probability=0.9) for m in designs]
    for cell, value in zip(row[3:], needed, strict=True):
        shown, multiple = cell.split(" ")
        assert float(shown.replace(",", "")) == pytest.approx(value, rel=6e-3)
        assert float(multiple.strip("(×)")) == pytest.approx(value / min(needed), rel=6e-3)


def test_needed_meets_its_goal_and_a_little_less_does_not():
    scores = Scores(np.random.default_rng(1).integers(0, 300, 30), monotonic=True)
    for name in ("canonical", "peeling"):
        m = topk.DESIGNS[name].build(1.0, 7)
        (needs,) = topk.compute_curves(scores, topk.DESIGNS[name], 7, ("top",)).needs.tolist()
        for probability, value in zip(topk.PROBABILITIES, needs, strict=True):
            less = value * (1 - 2e-4)
            assert m.replace(epsilon=value).distribution(scores).top >= probability
            assert m.replace(epsilon=less).distribution(scores).top < probability
            least = smallest_epsilon(m, scores, probability=probability, figure="top")
            assert value == pytest.approx(least, rel=2e-4)


def test_where_ties_put_a_goal_out_of_reach_it_is_said():
    scores = Scores([5.0] * 4 + [1.0] * 4, monotonic=True)
    assert topk.report_events(scores, 2)[0] == "optimal"
    events = topk.report_events(scores, 2)
    result = topk.compute_curves(scores, topk.DESIGNS["canonical"], 2, events)
    assert result.needed_epsilon("top", 0.5) == np.inf
    assert np.isfinite(result.needed_epsilon("optimal", 0.5))
    table = topk.smallest_epsilon_table({"canonical": result}, 2)
    assert "not reached" in set(table["canonical"])


def test_the_page_asks_nobody(made):
    page = made[0][: made[0].index('<script type="application/json"')]
    addresses = re.findall(r"\b(?:src|href|action|data)=\"([^\"]*)", page)
    assert all(address.startswith("#") for address in addresses)
    assert "default-src 'none'" in page
    assert not re.search(r"url\(|@import|<(link|iframe|img|object|embed)\b", page)


def test_names_of_files_are_inert(made):
    body = made[0][: made[0].index('<script type="application/json"')]
    assert "zoo &lt;b&gt;" in body
    assert "zoo <b>" not in body
    data = made[0][made[0].index('id="figures">') :]
    assert "<" not in data[: data.index("</script>")][len('id="figures">') :]


@pytest.mark.parametrize("empty", [True, False])
def test_a_bad_folder_is_one_sentence(tmp_path, empty):
    folder = tmp_path if empty else tmp_path / "nowhere"
    says = r"^data must be a folder [^.]*(\.csv[^.]*)?, not .*\.$"
    with pytest.raises(ParameterError, match=says):
        Reproduction(folder, tmp_path / "report.html")


def test_an_output_that_cannot_be_is_refused_before_any_work(tmp_path):
    (tmp_path / "a.csv").write_text("3\n1\n")
    with pytest.raises(ParameterError, match="output must be a file in a folder that exists"):
        Reproduction(tmp_path, tmp_path / "no" / "report.html")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1\n-2\n", "entry 2 of a.csv must be a count: a whole number of at least 0"),
        ("1\n2.5\n", "whole number"),
        ("1\nnan\n", "count"),
        ("1\ninf\n", "count"),
        ("", "a"),
        ("4\n", "2"),
    ],
)
def test_a_file_that_holds_no_counts_is_left_out_with_its_reason(tmp_path, text, reason):
    (tmp_path / "a.csv").write_text(text)
    (tmp_path / "b.csv").write_text("3\n1\n")
    folder = read_vector_folder(tmp_path)
    assert [vector.name for vector in folder.vectors] == ["b"]
    assert folder.left_out[0].startswith("a.csv is left out: ")
    assert reason in folder.left_out[0]
    assert folder.absent == tuple(EXPECTED)


def figure(page: str, title: str) -> list[Trace]:
    told = re.escape(f'<figcaption class="title">{html.escape(title)}</figcaption>')
    (number,) = re.findall(told + r'<div class="plot" data-figure="(\d+)"', page)
    start = page.index('id="figures">') + len('id="figures">')
    data = json.loads(page[start : page.index("</script>", start)])
    return [Trace(trace) for trace in data["figures"][int(number)]["data"]]


def line(traces: list[Trace], name: str) -> Trace:
    found = [t for t in traces if t["legendgroup"] == name and t.axes[0] == "x" and not t.name]
    (one,) = (t for t in found if t["mode"] == "lines" and t["fill"] is None)
    return one


def test_each_curve_of_the_report_is_the_law_of_its_vector_and_mechanism(made):
    traces = figure(made[0], "kosarak, k = 20")
    for name, kind in (("canonical", Canonical), ("peeling", Peeling)):
        curve = line(traces, name)
        for i in range(0, len(curve.x), 60):
            law = kind(epsilon=float(curve.x[i]), k=20).distribution(made[2])
            assert curve.y[i] == pytest.approx(law.top, abs=1e-3)


def test_the_summary_compares_the_best_of_the_others_with_the_best_canonical_one(made, tables):
    table = next(t for t in tables if t[0][:3] == ["vector", "k", "figure"])
    own, ratios = np.char.startswith(table[0][3:], "canonical"), []
    for row in table[1:]:
        cells = [cell.split(" ")[0].replace(",", "").replace("not", "inf") for cell in row[3:]]
        needed = np.array(cells, float)
        ratios.append(needed[~own].min() / needed[own].min())
    ratios = [ratio for ratio in ratios if 0 < ratio < np.inf]
    said = r"needs ([\d.,]+) to ([\d.,]+) times the ε of the better"
    low, high = re.search(said, words_of(made[0])).groups()
    assert float(low) == pytest.approx(min(ratios), rel=0.02)
    assert float(high) == pytest.approx(max(ratios), rel=0.02)


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A folder with a vector, and ten claims of all papers that take no time."""
    quick = [name for name in CLAIMS if CLAIMS[name].seconds < 0.4 and not CLAIMS[name].files]
    quick = quick[:: len(quick) // 9][:10]
    monkeypatch.setattr(table, "CLAIMS", {name: CLAIMS[name] for name in quick})
    monkeypatch.setattr(table, "ITEMS", {paper: items_of(paper, quick) for paper in table.ITEMS})
    (tmp_path / "a.csv").write_text("30\n10\n4\n1\n")
    return tmp_path


def test_only_the_parts_that_are_asked_for(small):
    work = Reproduction(small, small / "report.html", only=("claims",))
    told = words_of(work.page(work.compute_and_store_missing_results()).html())
    assert "The papers’ numbers" in told
    assert "Zipf scores, from flat to steep" not in told
    assert "Noise families compared" not in told
    assert Reproduction(None, small / "r.html").parts == ("claims", "zipf")
    assert Reproduction(small, small / "r.html").parts == tuple(PARTS)
    with pytest.raises(ParameterError, match="only must be one of claims, checked"):
        Reproduction(small, small / "r.html", only=("nix",))
    with pytest.raises(ParameterError, match="data must be given for gaps"):
        Reproduction(None, small / "r.html", only=("gaps",))


class Stopped(Exception):
    """Ends the work as a person would."""


def test_it_goes_on_where_it_was_stopped(small, monkeypatch):
    def new() -> Reproduction:
        return Reproduction(small, small / "report.html", only=("claims",))

    whole = new()
    fresh = whole.page(whole.compute_and_store_missing_results()).html()
    whole.remove_unfinished()
    assert not whole.unfinished_path.exists()

    def stop_halfway(fraction: float) -> None:
        if fraction > 0.5:
            raise Stopped

    with pytest.raises(Stopped):
        new().compute_and_store_missing_results(stop_halfway)
    lines = whole.unfinished_path.read_bytes().splitlines(keepends=True)
    assert 2 < len(lines) < 11
    whole.unfinished_path.write_bytes(b"".join(lines) + b'{"key": "torn')  # as a kill leaves it
    ran: list[object] = []
    run = ReportJob.run
    monkeypatch.setattr(ReportJob, "run", lambda job: ran.append(job) or run(job))
    again = new()
    assert f"{len(lines) - 1} done before and kept" in again.work_estimate_sentence()
    page = again.page(again.compute_and_store_missing_results()).html()
    assert len(ran) == 10 - (len(lines) - 1)
    assert len(unfinished_file.UnfinishedFile(again.output).read()) == 10
    made_on = re.compile(r"Made on [^<]*")
    assert made_on.sub("", page) == made_on.sub("", fresh)


def test_what_another_version_kept_is_not_used(small):
    work = Reproduction(small, small / "report.html", only=("claims",))
    first = '{"dpviz": "0.0", "holds": "a reproduction that is not finished"}'
    work.unfinished_path.write_text(first + '\n{"key": "x", "result": 1}\n')
    assert work.work_estimate_sentence().startswith("10 things to compute: a few seconds ")


def test_results_come_back_as_they_were():
    scores = Scores([30.0, 10.0, 4.0], monotonic=True)
    curve = topk.compute_curves(scores, topk.DESIGNS["peeling"], 1, ("top",))
    sweep = zipf.compute_zipf_probabilities(topk.DESIGNS["canonical"], 1.0, 2, 20, (0.0, 1.0))
    measured = gaps.run_measurement(scores, "noisy top-k", 2, 1.0, runs=20)
    for value in (curve, sweep, measured, {"k": 2, "x": float("nan")}, 0.1 + 0.2):
        kept = json.dumps(value, default=unfinished_file.encode_result)
        back = json.loads(kept, object_hook=unfinished_file.decode_result)
        assert type(back) is type(value)
        assert json.dumps(back, default=unfinished_file.encode_result) == kept
    assert unfinished_file.decode_result({"Path": {}}) == {"Path": {}}
    for other in (object(), Scores([1.0, 0.0])):
        with pytest.raises(TypeError):
            unfinished_file.encode_result(other)


class Weighed:
    def __init__(self, weight: float, ran: list[float]) -> None:
        self.key, self.expected_seconds, self._ran = weight, weight, ran

    def run(self) -> str:
        self._ran.append(self.expected_seconds)
        return f"result {self.expected_seconds:g}"


def test_the_heaviest_work_goes_first_and_progress_is_by_weight():
    assert estimate_seconds([Weighed(w, []) for w in (60.0, 30.0, 30.0)], 2) == 60.0
    assert estimate_seconds([Weighed(w, []) for w in (90.0, 3.0)], 2) == 90.0
    ran: list[float] = []
    told: list[float] = []
    results = run_jobs([Weighed(w, ran) for w in (1.0, 6.0, 3.0, 6.0)], None, told.append)
    assert ran == [6.0, 3.0, 1.0]
    assert results == {w: f"result {w:g}" for w in ran}
    assert told == [0.0, 0.6, pytest.approx(0.9), 1.0]
