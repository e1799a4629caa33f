"""Notebook tables: small, with a badge, and labels stay text."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest

from dpviz import (
    AdaptiveSparseVector,
    CandidatePool,
    Canonical,
    KnownThreshold,
    LargeMargin,
    NoisyTopKWithGap,
    OneShot,
    RandomStopping,
    Scores,
    SparseVector,
    estimate,
    privacy_loss,
)

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</table><script>alert(1)</script>",
    '"><svg onload=alert(1)>',
    "&lt;b&gt;",
)
OWN = Scores([9.0, 7.0, 4.0, 1.0], labels=HOSTILE, monotonic=True)
MORE = Scores([9.0, 8.0, 4.0, 1.0], labels=HOSTILE, monotonic=True)
POOL = CandidatePool([[0.9], [0.8], [0.8], [0.1]], labels=HOSTILE)
CANONICAL = Canonical(epsilon=1.0, k=2)
SHOWN = {
    "scores": (OWN, ""),
    "mechanism": (CANONICAL, ""),
    "gaps": (NoisyTopKWithGap(epsilon=1.0, k=2), ""),
    "sparse vector": (SparseVector(epsilon=1.0, k=2, threshold=5.0), ""),
    "margin": (LargeMargin(epsilon=1.0), ""),
    "rule": (RandomStopping(stop=0.1), ""),
    "law": (CANONICAL.distribution(OWN), "exact"),
    "estimated law": (estimate(CANONICAL, OWN, samples=200), "estimated"),
    "answers": (AdaptiveSparseVector(epsilon=1.0, k=2, threshold=5.0).distribution(OWN), "exact"),
    "one item": (LargeMargin(epsilon=1.0).distribution(OWN), "exact"),
    "one of a universe": (LargeMargin(epsilon=1.0).distribution(OWN, zeros=10**1000), "exact"),
    "candidate": (KnownThreshold(stop=0.1, threshold=0.5).distribution(POOL), "exact"),
    "loss": (privacy_loss(CANONICAL, OWN, MORE), "exact"),
    "lower bound": (privacy_loss(OneShot(epsilon=1.0, k=2), OWN, MORE), ""),
}
ALLOWED = {"table", "caption", "span", "tbody", "tr", "th", "td"}


class Read(HTMLParser):
    """Elements and the texts within them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, tuple[str, ...]]] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(sorted(name for name, _ in attrs))))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.mark.parametrize("name", SHOWN)
def test_a_notebook_table_is_small_and_escapes_labels(name: str) -> None:
    thing, badge = SHOWN[name]
    page = thing._repr_html_()
    read = Read(page)
    assert {tag for tag, _ in read.tags} <= ALLOWED
    assert {attribute for _, attributes in read.tags for attribute in attributes} <= {
        "style",
        "scope",
    }
    assert len(re.findall("<tr>", page)) <= 14
    assert len(page) < 5_000
    assert badge in "".join(read.texts)
    if name in {"scores", "candidate"}:
        assert all(any(label[:20] in text for text in read.texts) for label in HOSTILE)


def test_a_notebook_table_shows_the_figures_of_the_law() -> None:
    law = CANONICAL.distribution(OWN)
    texts = Read(law._repr_html_()).texts
    for what, value in (("P(TOP)", law.top), ("P(GOOD)", law.good)):
        assert texts[texts.index(what) + 1] == f"{value:.4f}"
    drawn = estimate(CANONICAL, OWN, samples=200)
    low, high = drawn.interval("top")
    assert f"{drawn.top:.4f} (95 %: {low:.4f} to {high:.4f})" in Read(drawn._repr_html_()).texts
    loss = privacy_loss(CANONICAL, OWN, MORE)
    assert f"{loss.largest:.6g}" in Read(loss._repr_html_()).texts


def test_many_scores_show_the_best_ten() -> None:
    many = Scores(np.arange(1e6))
    texts = Read(many._repr_html_()).texts
    assert texts[1:3] == ["item 1000000", "999999"]
    assert len(texts) == 25  # a title, ten pairs, how many more, one person
    assert "999,990 more" in texts
