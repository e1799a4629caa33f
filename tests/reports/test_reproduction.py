"""The reproduction on made-up vectors: what the report says is what the library says."""

import html
import json
import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

from dpviz import Canonical, OneShot, ParameterError, Peeling, Scores, smallest_epsilon
from dpviz.data.generators import Zipf
from dpviz.gaps.sparse.sparse_vector import AdaptiveSparseVector, SparseVector
from dpviz.reports import reproduction
from dpviz.reports.page import Page
from dpviz.reports.reproduction import gaps, noises, topk, zipf
from dpviz.reports.reproduction.data import EXPECTED, read_folder
from dpviz.reports.reproduction.wording import epsilon
from dpviz.reports.reproduction.work import done
from tests.charts.drawn import Trace


class Reader(HTMLParser):
    """Texts, tables and addresses of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.tables: list[list[list[str]]] = []
        self.words: list[str] = []
        self._inside: list[str] = []

    def handle_starttag(self, tag, attrs):
        self._inside.append(tag)
        self.addresses += [value for name, value in attrs if name in {"src", "href", "action", "data"}]
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in {"td", "th"}:
            self.tables[-1][-1].append("")

    def handle_endtag(self, tag):
        while self._inside and self._inside.pop() != tag:
            pass

    def handle_data(self, data):
        if "script" in self._inside or "style" in self._inside:
            return
        self.words.append(data)
        if {"td", "th"} & set(self._inside):
            self.tables[-1][-1][-1] += data


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> tuple[str, tuple[str, ...], Scores]:
    """A report of two small vectors with cheap settings: (page, notes, the longer vector)."""
    patch = pytest.MonkeyPatch()
    patch.setattr(gaps, "KS", (2, 5))
    patch.setattr(gaps, "MEASURED_KS", (2, 5))
    patch.setattr(gaps, "MEASURED_EPSILONS", (0.1, 0.7))
    patch.setattr(gaps, "MEASURED_K", 2)
    patch.setattr(gaps, "RUNS", 50)
    patch.setattr(topk, "KS", (3, 20))
    patch.setattr(noises, "KS", (1,))
    patch.setattr(zipf, "KS", (3,))
    patch.setattr(zipf, "SIZE", 30)
    patch.setattr(zipf, "EXPONENTS", (0.0, 0.1, 1.0))
    rng = np.random.default_rng(5)
    folder = tmp_path_factory.mktemp("data")
    long = np.sort(rng.integers(0, 5000, 24))
    (folder / "kosarak.csv").write_text("\n".join(map(str, rng.permutation(long))))
    (folder / "zoo <b>.csv").write_text("9\n7\n7\n7\n3\n1\n")
    (folder / "broken.csv").write_text("item,score\na,3\n")
    (folder / "notes.txt").write_text("no vector")
    notes = reproduction.write(folder, folder / "report.html", workers=1)
    scores = read_folder(folder).get("kosarak").scores
    page = (folder / "report.html").read_text()
    patch.undo()
    return page, notes, scores


@pytest.fixture(scope="module")
def read(made) -> Reader:
    reader = Reader()
    reader.feed(made[0])
    return reader


def test_sections(read):
    words = " ".join(read.words)
    for heading in (
        "In short",
        "Checked values",
        "Top-k on real score vectors",
        "Noise families compared",
        "Zipf scores, from flat to steep",
        "Free gaps and adaptive sparse vector",
        "How this was computed",
    ):
        assert heading in words


def test_what_is_left_out_is_said(made, read):
    words = " ".join(read.words)
    assert "k = 20 left out: zoo <b> has only 6 items." in words
    assert "Ranks 2 to 4 tie: 2 of these 3 items belong to the top 3" in words
    told = " ".join(made[1])
    for sentence in (told, words):
        assert "broken.csv is left out: entry 1 of broken.csv must be a count, not 'item,score'." in sentence
        assert "Not in the folder, so not in the report: netflix.csv" in sentence
    assert "kosarak.csv" not in told
    assert "t10i4d100k.csv" in told
    assert "The values known from before are for netflix.csv, which the folder does not hold." in words


def test_the_numbers_are_the_librarys(made, read):
    scores = made[2]
    table = next(t for t in read.tables if t[0][:3] == ["vector", "k", "figure"])
    row = next(r for r in table if r[:2] == ["kosarak", "20"])
    assert row[2] == "TOP"
    designs = [
        Canonical(epsilon=1.0, k=20),
        Canonical(epsilon=1.0, k=20, gamma=1.0),
        OneShot(epsilon=1.0, k=20, noise="exponential"),
        Peeling(epsilon=1.0, k=20),
        OneShot(epsilon=1.0, k=20, noise="laplace"),
    ]
    needed = [smallest_epsilon(m, scores, probability=0.9) for m in designs]
    for cell, value in zip(row[3:], needed, strict=True):
        shown, multiple = cell.split(" ")
        assert float(shown.replace(",", "")) == pytest.approx(value, rel=6e-3)
        assert float(multiple.strip("(×)")) == pytest.approx(value / min(needed), rel=6e-3)


def test_needed_meets_its_goal_and_a_little_less_does_not():
    scores = Scores(np.random.default_rng(1).integers(0, 300, 30), monotonic=True)
    for design in (topk.DESIGNS["canonical"], topk.DESIGNS["peeling"]):
        job = topk.CurveJob(data="x", scores=scores, design=design, k=7, events=("top",))
        for (event, probability), value in job.run().needs.items():
            m = design.build(1.0, 7)
            assert m.replace(epsilon=value).distribution(scores).event(event) >= probability
            assert m.replace(epsilon=value * (1 - 2e-4)).distribution(scores).event(event) < probability
            assert value == pytest.approx(smallest_epsilon(m, scores, probability=probability, event=event), rel=2e-4)


def test_where_ties_put_a_goal_out_of_reach_it_is_said():
    scores = Scores([5.0] * 4 + [1.0] * 4, monotonic=True)
    assert topk.events_of(scores, 2)[0] == "optimal"
    job = topk.CurveJob(
        data="x", scores=scores, design=topk.DESIGNS["canonical"], k=2, events=topk.events_of(scores, 2)
    )
    needs = job.run().needs
    assert needs["top", 0.5] == np.inf
    assert np.isfinite(needs["optimal", 0.5])
    assert "not reached" in set(topk.needed_table({"canonical": job.run()})["canonical"])


def test_answers_are_the_laws():
    scores = Scores(np.random.default_rng(2).integers(0, 500, 80))
    row = gaps.AnswerJob(scores=scores, k=4).run()
    told = {"epsilon": 0.7, "k": 4, "threshold": float(np.quantile(scores.values, 0.95))}
    assert row["plain"] == pytest.approx(SparseVector(**told).distribution(scores).expected_answers)
    law = AdaptiveSparseVector(**told).distribution(scores)
    assert row["top"] + row["middle"] == pytest.approx(law.expected_answers)
    assert row["adaptive precision"] == law.precision


def test_simulations_repeat():
    scores = Scores(np.random.default_rng(2).integers(0, 500, 80), monotonic=True)
    for selection in gaps.SELECTIONS:
        job = gaps.MeasureJob(scores=scores, selection=selection, k=3, epsilon=0.5, runs=100)
        assert job.run() == job.run()


def test_the_page_asks_nobody(made, read):
    page = made[0]
    assert all(address.startswith("#") for address in read.addresses)
    assert "default-src 'none'" in page
    style = page[page.index("<style>") : page.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style
    assert not re.search(r"<(link|iframe|img|object|embed)\b", page[: page.index('<script type="application/json"')])


def test_names_of_files_are_inert(made):
    body = made[0][: made[0].index('<script type="application/json"')]
    assert "zoo &lt;b&gt;" in body
    assert "zoo <b>" not in body
    data = made[0][made[0].index('id="figures">') :]
    assert "<" not in data[: data.index("</script>")][len('id="figures">') :]


def test_every_figure_says_how_to_read_it_and_what_it_shows(made):
    page = made[0]
    figures = page.count("<figure>")
    assert figures > 10
    assert page.count("How to read it.") == figures
    assert page.count("What it shows.") == figures
    assert page.count('role="img" aria-label="') == figures


@pytest.mark.parametrize("empty", [True, False])
def test_a_bad_folder_is_one_sentence(tmp_path, empty):
    folder = tmp_path if empty else tmp_path / "nowhere"
    with pytest.raises(ParameterError, match=r"^data must be a folder [^.]*(\.csv[^.]*)?, not .*\.$"):
        reproduction.write(folder, tmp_path / "report.html", workers=1)


def test_an_output_that_cannot_be_is_refused_before_any_work(tmp_path):
    (tmp_path / "a.csv").write_text("3\n1\n")
    with pytest.raises(ParameterError, match="output must be a file in a folder that exists"):
        reproduction.write(tmp_path, tmp_path / "no" / "report.html", workers=1)


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
    folder = read_folder(tmp_path)
    assert [vector.name for vector in folder.vectors] == ["b"]
    assert folder.left_out[0].startswith("a.csv is left out: ")
    assert reason in folder.left_out[0]
    assert folder.absent == tuple(EXPECTED)


def test_the_order_is_the_papers(tmp_path):
    for name in ("aaa", "kosarak", "netflix"):
        (tmp_path / f"{name}.csv").write_text("3\n1\n")
    assert [vector.name for vector in read_folder(tmp_path).vectors] == ["netflix", "kosarak", "aaa"]


def test_three_digits():
    assert [epsilon(v) for v in (0.0012345, 9.999, 12.34, 2847.98, float("inf"))] == [
        "0.00123",
        "10.0",
        "12.3",
        "2,850",
        "not reached",
    ]


# What is drawn and compared


def figure(page: str, title: str) -> list[Trace]:
    """The traces of the figure under this title."""
    told = re.escape(f'<figcaption class="title">{html.escape(title)}</figcaption>')
    (number,) = re.findall(told + r'<div class="plot" data-figure="(\d+)"', page)
    start = page.index('id="figures">') + len('id="figures">')
    data = json.loads(page[start : page.index("</script>", start)])
    return [Trace(trace) for trace in data["figures"][int(number)]["data"]]


def line(traces: list[Trace], name: str, fill: str | None = None) -> Trace:
    """The line of this name in the first panel; with `fill` its band."""
    found = [t for t in traces if t["legendgroup"] == name and t.axes[0] == "x" and t["mode"] == "lines"]
    (one,) = (trace for trace in found if trace["fill"] == fill and not trace.name)
    return one


def test_each_curve_of_the_report_is_the_law_of_its_vector_and_mechanism(made):
    traces = figure(made[0], "kosarak, k = 20")
    for name, mechanism in (("canonical", Canonical(epsilon=1.0, k=20)), ("peeling", Peeling(epsilon=1.0, k=20))):
        curve = line(traces, name)
        for i in range(0, len(curve.x), 60):
            law = mechanism.replace(epsilon=float(curve.x[i])).distribution(made[2])
            assert curve.y[i] == pytest.approx(law.top, abs=1e-3)


def test_the_zipf_lines_stand_over_their_exponents(made):
    for name, event in (("TOP", "top"), ("GOOD", "good")):
        for budget in zipf.EPSILONS:
            curve = line(figure(made[0], f"{name} on Zipf scores, ε = {budget:g}"), "canonical")
            np.testing.assert_allclose(curve.x, [0.1, 1.0])
            laws = [Canonical(epsilon=budget, k=3).distribution(Zipf(size=30, exponent=s).scores()) for s in (0.1, 1.0)]
            np.testing.assert_allclose(curve.y, [law.event(event) for law in laws], rtol=1e-5)


def test_the_answers_drawn_are_those_of_each_branch(made):
    scores = Scores(made[2].values)
    told = {"epsilon": 0.7, "threshold": float(np.quantile(scores.values, 0.95))}
    bars = {trace.name: trace for trace in figure(made[0], "kosarak: expected answers, as in the paper")}
    laws = [AdaptiveSparseVector(k=k, **told).distribution(scores) for k in (2, 5)]
    np.testing.assert_allclose(bars["adaptive, top branch"].y, [law.branch("top").sum() for law in laws], rtol=1e-5)
    np.testing.assert_allclose(
        bars["adaptive, middle branch"].y, [law.branch("middle").sum() for law in laws], rtol=1e-5
    )


def test_the_band_of_what_gaps_take_off_goes_from_its_low_to_its_high_end(made):
    traces = figure(made[0], "kosarak: mean squared error taken off by the gaps, noisy top-k")
    for kind in ("general", "counts"):
        value, band = line(traces, f"simulated, {kind}"), line(traces, f"simulated, {kind}", fill="toself")
        n = len(value.x)
        low, high = band.y[n:][::-1], band.y[:n]
        assert ((low < value.y) & (value.y < high)).all()


def test_multiples_are_of_the_least_epsilon_in_the_row(read):
    table = next(t for t in read.tables if t[0][:3] == ["k", "figure", "reached in"])
    for row in table[1:]:
        cells = [re.fullmatch(r"([\d.,]+) \(([\d.,]+)×\)", cell) for cell in row[3:-1]]
        assert all(cells)
        needed, times = ([float(cell[i].replace(",", "")) for cell in cells] for i in (1, 2))
        assert times == pytest.approx([value / min(needed) for value in needed], rel=0.02)
        assert table[0][3 + int(np.argmin(needed))] == row[-1]


def test_the_summary_compares_the_best_of_the_others_with_the_best_canonical_one(read):
    table = next(t for t in read.tables if t[0][:3] == ["vector", "k", "figure"])
    ratios = []
    for row in table[1:]:
        needed = [np.inf if cell == "not reached" else float(cell.split(" ")[0].replace(",", "")) for cell in row[3:]]
        own = [name.startswith("canonical") for name in table[0][3:]]
        ours = min(value for value, canonical in zip(needed, own, strict=True) if canonical)
        theirs = min(value for value, canonical in zip(needed, own, strict=True) if not canonical)
        if np.isfinite(ours) and np.isfinite(theirs):
            ratios.append(theirs / ours)
    low, high = re.search(r"needs ([\d.,]+) to ([\d.,]+) times the ε of the better", " ".join(read.words)).groups()
    assert float(low) == pytest.approx(min(ratios), rel=0.02)
    assert float(high) == pytest.approx(max(ratios), rel=0.02)


def test_columns_of_numbers_stand_to_the_right_and_no_others():
    page = Page("Title", lead="")
    page.table(pd.DataFrame({"name": ["a", "3rd"], "ε": ["0.1 (1×)", "<0.2"]}), caption="")
    assert '<th scope="col">name</th><th scope="col" class="number">ε</th>' in page.html()
    assert '<td>a</td><td class="number">0.1 (1×)</td>' in page.html()


class Weighed:
    """A job of this weight, which notes that it was run."""

    def __init__(self, weight: float, ran: list[float]) -> None:
        self.key, self.weight, self._ran = weight, weight, ran

    def run(self) -> str:
        self._ran.append(self.weight)
        return f"result {self.weight:g}"


def test_the_heaviest_work_goes_first_and_progress_is_by_weight():
    ran: list[float] = []
    told: list[float] = []
    results = done([Weighed(w, ran) for w in (1.0, 6.0, 3.0, 6.0)], None, told.append)
    assert ran == [6.0, 3.0, 1.0]
    assert results == {w: f"result {w:g}" for w in ran}
    assert told == [0.0, 0.6, pytest.approx(0.9), 1.0]
