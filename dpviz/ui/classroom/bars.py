"""The students' pictures: bars of HTML, a table to whoever does not see them, and nothing for a phone to load.

Invariants: bars begin at zero; what is told by colour is told by its place and in numbers too.
"""

import html
from collections.abc import Sequence

from dpviz.base.arrays import Floats, Ints
from dpviz.charts.words import percent

__all__ = ["answers", "draws"]


def draws(outcomes: Sequence[str], law: Floats, own: Ints | None, everyone: Ints | None) -> str:
    """HTML: of each outcome its exact chance, and how often it came to a person and to all."""
    shown = [(name, counts) for name, counts in (("You", own), ("Class", everyone)) if counts is not None]
    most = max(float(values.max()) for values in (law, *(counts / counts.sum() for _, counts in shown)))
    rows = []
    for row, (outcome, chance) in enumerate(zip(outcomes, law.tolist(), strict=True)):
        mark = f"left:{100 * chance / most:.2f}%"
        exactly = html.escape(f"exactly {percent(chance)}")
        cells = f'<td class="dp-exact"><i><u style="{mark}"></u></i><span>{exactly}</span></td>'
        for name, counts in shown:
            came, of = int(counts[row]), int(counts.sum())
            bar = f'<i><u style="width:{100 * came / of / most:.2f}%"></u></i>'
            cells += f'<td class="dp-{name.lower()}">{bar}<span><b>{came:,}</b> of {of:,}</span></td>'
        rows.append(f'<tr><th scope="row">{html.escape(outcome)}</th>{cells}</tr>')
    heads = "".join(f'<th scope="col">{name}</th>' for name in ("Outcome", "Exact", *(name for name, _ in shown)))
    return (
        f'<table class="dp-drawn" aria-label="Draws beside exact chances"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def answers(choices: Sequence[str], predictions: Sequence[int], right: int, own: int | None = None) -> str:
    """HTML: how many gave each answer, with the right one marked, and one's own."""
    most, total = max(*predictions, 1), sum(predictions)
    rows = "".join(
        f'<tr class="{"dp-right" if n == right else ""}"><th scope="row">{"✓ " if n == right else ""}'
        f"{html.escape(choice)}{' <small>right</small>' if n == right else ''}"
        f"{' <small>your prediction</small>' if n == own else ''}</th>"
        f'<td><i><u style="width:{100 * given / most:.2f}%"></u></i><span><b>{given:,}</b> of {total:,}</span></td>'
        "</tr>"
        for n, (choice, given) in enumerate(zip(choices, predictions, strict=True))
    )
    return (
        '<table class="dp-answers" aria-label="Predictions of the class"><thead><tr><th scope="col">Answer</th>'
        f'<th scope="col">Predicted by</th></tr></thead><tbody>{rows}</tbody></table>'
    )
