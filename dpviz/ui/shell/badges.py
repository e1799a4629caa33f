"""Badges: whether a figure is exact or estimated, with its error or interval on hover and on focus. All are HTML."""

from dpviz.charts.words import count, number, percent
from dpviz.ui.work.answer import Answer, Chance

__all__ = ["at_least", "badge", "estimated", "exact"]


def badge(answer: Answer, chance: Chance | None = None) -> str:
    """Of a figure of an answer; an estimated chance says its interval."""
    if answer.method is None:
        return ""
    if answer.method == "exact":
        return exact(answer.error)
    interval = "" if chance is None else f"{percent(chance.low)} to {percent(chance.high)}"
    return estimated(f"Estimated from {count(answer.draws, 'simulated release')}.", interval)


def exact(error: float, more: str = "") -> str:
    """Of an exact figure."""
    most = number(max(error, 1e-16))
    tip = f"Computed, not simulated. The error of this figure is at most {most}, by an estimated bound.{more}"
    return _badge("exact", tip)


def estimated(how: str, interval: str) -> str:
    """Of an estimated figure, with its 95 % interval where there is one."""
    return _badge("estimated", how + (f" 95{chr(0x202F)}% interval: {interval}." if interval else ""))


def at_least(how: str) -> str:
    """Of a certified lower bound."""
    return _badge("at least", how)


def _badge(method: str, tip: str) -> str:
    return f'<span class="dp-tip" tabindex="0">{method}<span role="tooltip">{tip}</span></span>'
