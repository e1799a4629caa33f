"""Totals where one run is a Gaussian mechanism: Rényi accounting by the optional package dp-accounting.

Symbols: σ = the run's noise over its sensitivity, K candidates, δ = what every total ε is stated at.
Invariant: all rows come from one accountant, so they can be compared.
Sources: Papernot & Steinke 2022 (repeats); Mironov 2017 (Rényi accounting).
"""

from collections.abc import Iterable
from typing import Any

from dpviz.base.errors import ParameterError
from dpviz.base.parameters import check_inside, check_integer, check_number
from dpviz.candidates.repeats import NegativeBinomialRepeats, PoissonRepeats, accounted_epsilon

__all__ = ["gaussian_totals"]

Repeats = NegativeBinomialRepeats | PoissonRepeats


def gaussian_totals(rules: Iterable[Repeats], candidates: int, noise: float, delta: float) -> dict[str, float | None]:
    """Total ε at `delta` by name: "one" run, "naive" best of K, each rule; None where the accountant has no answer.

    `noise` is σ of one run over its sensitivity. Raises `ParameterError` where dp-accounting is missing.
    """
    candidates = check_integer("candidates", candidates, low=1)
    noise = check_number("noise", noise, low=0.0, above=True)
    delta = check_inside("delta", delta)
    try:
        from dp_accounting import dp_event  # noqa: PLC0415 - an extra, needed here alone
    except ImportError:
        raise ParameterError(
            "dp-accounting", "missing", "installed for this: python -m pip install dp-accounting"
        ) from None
    run = dp_event.GaussianDpEvent(noise)
    totals: dict[str, float | None] = {"one": _composed(run, 1, delta)}
    for rule in rules:
        try:
            totals[rule.name] = accounted_epsilon(rule, run, delta)
        except ParameterError:
            totals[rule.name] = None
    totals["naive"] = _composed(run, candidates, delta)
    return totals


def _composed(run: Any, times: int, delta: float) -> float:
    from dp_accounting import rdp  # noqa: PLC0415

    accountant = rdp.RdpAccountant()
    accountant.compose(run, times)
    return float(accountant.get_epsilon(delta))
