"""Bars of HTML for students and projector: tables to screen readers, and nothing for a phone to
load.

Invariants: bars begin at zero; colour never stands alone, place and numbers say the same.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from dpviz.base import Floats, Ints, Markup, join_markup, markup
from dpviz.charts import percent
from dpviz.export.lessons.prose import render_inline
from dpviz.teaching.lesson import LETTERS, MultipleChoice


def outcome_bars_html(
    outcomes: Sequence[str], law: Floats | None, own_counts: Ints, class_counts: Ints | None
) -> Markup:
    """Exact chance of each outcome, if shown, and the shares of one person and of the class."""
    drawn = [
        (name, counts)
        for name, counts in (("You", own_counts), ("Class", class_counts))
        if counts is not None and counts.sum()
    ]
    laws = [] if law is None else [law]
    most = max(
        float(values.max()) for values in (*laws, *(counts / counts.sum() for _, counts in drawn))
    )
    rows = []
    for row, outcome in enumerate(outcomes):
        cells = [
            markup(
                '<td class="dp-exact"><i><u style="left:{:.2f}%"></u></i><span>exactly'
                " {}</span></td>",
                100 * float(chances[row]) / most,
                percent(float(chances[row])),
            )
            for chances in laws
        ]
        for name, counts in drawn:
            came, of = int(counts[row]), int(counts.sum())
            cells.append(
                markup('<td class="dp-{}">{}</td>', name.lower(), _bar(came / of / most, came, of))
            )
        rows.append((markup("{}", outcome), join_markup(cells)))
    return _table(
        "dp-drawn",
        "Draws beside exact chances" if laws else "Draws",
        ["Outcome", *("Exact" for _ in laws), *(name for name, _ in drawn)],
        rows,
    )


def answer_bars_html(
    choices: Sequence[Markup | str],
    first_votes: Sequence[int],
    right_answer: int | None = None,
    own_answer: int | None = None,
    votes_after_talk: Sequence[int] = (),
    *,
    is_vote: bool = False,
) -> Markup:
    """Counts of each answer, first and after a talk; the right one and one's own are marked."""
    rounds = (
        [("before", first_votes), ("after", votes_after_talk)]
        if votes_after_talk
        else [("", first_votes)]
    )
    rows = []
    for number, choice in enumerate(choices):
        signs = [Markup(" <small>right</small>")] if number == right_answer else []
        if number == own_answer:
            signs.append(markup(" <small>your {}</small>", "vote" if is_vote else "prediction"))
        letter = markup("<b>{}</b> ", LETTERS[number])
        head = join_markup(["✓ " if number == right_answer else "", letter, choice, *signs])
        cells = [
            markup(
                '<td class="dp-{}">{}{}</td>',
                when or "once",
                # one scale for all: a full bar is everyone who answered in that round
                _bar(given[number] / max(sum(given), 1), given[number], sum(given)),
                _shift(first_votes, votes_after_talk, number) if when == "after" else "",
            )
            for when, given in rounds
        ]
        rows.append((head, join_markup(cells)))
    return _table(
        "dp-answers",
        "Answers of the class",
        [
            "Answer",
            *(
                f"{when} the talk".capitalize()
                if when
                else "Chosen by"
                if is_vote
                else "Predicted by"
                for when, _ in rounds
            ),
        ],
        rows,
        right_answer,
    )


def chance_guesses_html(guesses: Sequence[int], exact_chance: float) -> Markup:
    """Marks of a class, of a hundred, a dot each, and the exact chance."""
    low, middle, high = (float(np.percentile(guesses, at)) for at in (25, 50, 75))
    says = (
        f"Half of the class marked from {low:.0f} to {high:.0f}, and the middle mark is"
        f" {middle:.0f}. The exact chance is {percent(exact_chance)}."
    )
    piled: dict[int, int] = {}
    dots = []
    for value in guesses:
        piled[value] = piled.get(value, 0) + 1
        dots.append(
            markup('<i style="left:{}%;bottom:{:.2f}em"></i>', value, 0.5 * (piled[value] - 1))
        )
    return markup(
        '<p class="dp-sub">{}</p><div class="dp-marks" aria-hidden="true"'
        ' style="height:{:.1f}em">{}'
        '<b style="left:{:.2f}%"></b></div>',
        says,
        0.5 * max(piled.values()) + 1,
        join_markup(dots),
        100 * exact_chance,
    )


def question_bars_html(
    question: MultipleChoice,
    first_votes: Sequence[int],
    votes_after_talk: Sequence[int] = (),
    own_answer: int | None = None,
    *,
    shows_right_answer: bool = True,
) -> Markup:
    """Counts of the answers to a question, with the right one where it is `shows_right_answer`."""
    return answer_bars_html(
        [render_inline(choice) for choice in question.choices],
        first_votes,
        question.answer if shows_right_answer else None,
        own_answer,
        votes_after_talk,
    )


def _shift(first: Sequence[int], after: Sequence[int], number: int) -> Markup:
    """Change of the share of an answer, in points of a hundred, once there are both rounds."""
    if not (sum(first) and sum(after)):
        return Markup()
    points = round(100 * (after[number] / sum(after) - first[number] / sum(first)))
    return markup("<em>{}</em>", f"{points:+d} points".replace("-", "−") if points else "no change")


def _bar(share: float, came: int, of: int) -> Markup:
    return markup(
        '<i><u style="width:{:.2f}%"></u></i><span><b>{:,}</b> of {:,}</span>',
        100 * share,
        came,
        of,
    )


def _table(
    kind: str,
    says: str,
    heads: Sequence[str],
    rows: Iterable[tuple[Markup, Markup]],
    right: int | None = None,
) -> Markup:
    body = (
        markup(
            '<tr class="{}"><th scope="row">{}</th>{}</tr>',
            "dp-right" if number == right else "",
            head,
            cells,
        )
        for number, (head, cells) in enumerate(rows)
    )
    return markup(
        '<table class="{}" aria-label="{}"><thead><tr>{}</tr></thead><tbody>{}</tbody></table>',
        kind,
        says,
        join_markup(markup('<th scope="col">{}</th>', head) for head in heads),
        join_markup(body),
    )
