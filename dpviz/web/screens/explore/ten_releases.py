"""Ten releases, drawn: a line each, with the right items and what came instead of what."""

from dpviz.base import Ints, Markup, Scores, join_markup, markup
from dpviz.charts import count_text, shorten_text
from dpviz.pages.explore import view
from dpviz.studies import read_if_ready
from dpviz.studies.mechanism_studies import ReleasesStudy
from dpviz.web.widgets import html, isolate_bidi

_NAMED = 3  # items that came out wrongly, or are missing, by name
_LETTERS = 22


def show_ten_releases(ten: ReleasesStudy) -> None:
    drawn = read_if_ready(lambda: ten.releases)
    rows = () if drawn is None else (_release(items, ten.scores, ten.k) for items in drawn[0])
    html(
        markup(
            '<h2 class="dp-side dp-ten">Ten releases, drawn now</h2>'
            '<ol class="dp-releases" data-pale aria-label="Ten releases, drawn">{}</ol>',
            join_markup(rows),
        )
    )


def _release(items: Ints, scores: Scores, k: int) -> Markup:
    wrong, missing = view.wrong_and_missing_ranks(items, scores, k)
    if not len(missing):
        return markup(
            '<li class="dp-whole"><b>{:,} of {:,}</b> <span>{}</span></li>',
            k,
            k,
            "it is right" if k == 1 else "all are right",
        )
    names = [_names(ranks, scores) for ranks in (wrong, missing) if len(ranks)]
    size = int((items >= 0).sum())
    start, joint = "", " instead of "
    if size < k:
        start = f"{count_text(size, 'name') if size else 'no name'}, "
    if not len(wrong):
        start += "without "
    return markup(
        '<li title="{}"><b>{:,} of {:,}</b> <span>{}</span></li>',
        start + joint.join(", ".join([*labels, *more]) for labels, more in names),
        k - len(missing),
        k,
        markup("{}", start)
        + markup(joint).join(
            markup(", ").join([*map(isolate_bidi, labels), *more]) for labels, more in names
        ),
    )


def _names(ranks: Ints, scores: Scores) -> tuple[list[str], list[str]]:
    """Labels that are spelled out, and how many more there are."""
    labels = [
        shorten_text(scores.label(int(scores.order[rank])), _LETTERS) for rank in ranks[:_NAMED]
    ]
    return labels, [f"{len(ranks) - _NAMED:,} more"] if len(ranks) > _NAMED else []
