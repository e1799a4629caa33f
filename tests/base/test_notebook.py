"""Notebook tables: small, with a badge, and labels stay text."""

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
from tests.hostile import read

TEXTS = (
    "<img src=x onerror=alert(1)>",
    "</table><script>alert(1)</script>",
    '"><svg onload=alert(1)>',
    "&lt;b&gt;",
)
OWN = Scores([9.0, 7.0, 4.0, 1.0], labels=TEXTS, monotonic=True)
MORE = Scores([9.0, 8.0, 4.0, 1.0], labels=TEXTS, monotonic=True)
POOL = CandidatePool([[0.9], [0.8], [0.8], [0.1]], labels=TEXTS)
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


@pytest.mark.parametrize("name", SHOWN)
def test_a_notebook_table_is_small_and_escapes_labels(name: str) -> None:
    thing, badge = SHOWN[name]
    page = thing._repr_html_()
    tags, text = read(page)
    assert {tag for tag, _ in tags} <= ALLOWED
    assert {attribute for _, attributes in tags for attribute in attributes} <= {"style", "scope"}
    assert page.count("<tr>") <= 14
    assert len(page) < 5_000
    assert badge in text
    if name in {"scores", "candidate"}:
        assert all(label[:20] in text for label in TEXTS)


def test_a_notebook_table_shows_the_figures_of_the_law() -> None:
    law = CANONICAL.distribution(OWN)
    _, text = read(law._repr_html_())
    assert f"P(TOP){law.top:.4f}" in text
    assert f"P(GOOD){law.good:.4f}" in text
    drawn = estimate(CANONICAL, OWN, samples=200)
    low, high = drawn.interval("top")
    assert f"{drawn.top:.4f} (95 %: {low:.4f} to {high:.4f})" in read(drawn._repr_html_())[1]
    loss = privacy_loss(CANONICAL, OWN, MORE)
    assert f"{loss.largest:.6g}" in read(loss._repr_html_())[1]


def test_many_scores_show_the_best_ten() -> None:
    tags, text = read(Scores(np.arange(1e6))._repr_html_())
    assert "item 1000000999999" in text
    assert "999,990 more" in text
    assert [tag for tag, _ in tags].count("tr") == 12  # ten items, how many more, one person
