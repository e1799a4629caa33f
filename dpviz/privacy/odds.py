"""The meaning of ε for one person, in odds: beliefs of an attacker, and chances to guess right.

Symbols: p = the prior belief that the person is in the data; pure ε-DP multiplies its odds by at
most e^ε. With δ > 0 no bound on the posterior holds for every output.
Sources: Wasserman & Zhou 2010, Thm 2.4 (testing); Kairouz, Oh & Viswanath 2015.
"""

import math

from dpviz.base import check_number


def posterior_bound(prior: float, epsilon: float) -> float:
    """The most a belief that a person is in the data can become: p·e^ε / (p·e^ε + 1 − p).

    Parameters
    ----------
    prior
        p from 0 to 1, the belief beforehand.
    epsilon
        ε of a pure release, from 0 on.

    Returns
    -------
    float
        The largest belief afterwards, from p to 1.

    Examples
    --------
    >>> round(posterior_bound(0.5, math.log(3)), 6)
    0.75
    """
    prior = check_number("prior", prior, low=0.0, high=1.0)
    epsilon = check_number("epsilon", epsilon, low=0.0)
    return prior / (prior + (1 - prior) * math.exp(-epsilon)) if prior else 0.0


def posterior_lower_bound(prior: float, epsilon: float) -> float:
    """The least a belief can become under pure ε-DP: p / (p + (1 − p)·e^ε).

    >>> round(posterior_lower_bound(0.5, math.log(3)), 6)
    0.25
    """
    prior = check_number("prior", prior, low=0.0, high=1.0)
    less = prior * math.exp(-check_number("epsilon", epsilon, low=0.0))
    return less / (less + 1 - prior) if prior < 1 else 1.0


def guess_bound(epsilon: float, delta: float = 0.0) -> float:
    """The most often that a 50/50 guess about one person can be right: (e^ε + δ)/(1 + e^ε).

    Parameters
    ----------
    epsilon, delta
        (ε, δ) of the release: ε from 0 on, δ from 0 to 1.

    Returns
    -------
    float
        The largest chance to be right, from ½ to 1.

    Examples
    --------
    >>> round(guess_bound(math.log(3)), 6)
    0.75
    """
    epsilon = check_number("epsilon", epsilon, low=0.0)
    delta = check_number("delta", delta, low=0.0, high=1.0)
    return (1 + delta * math.exp(-epsilon)) / (1 + math.exp(-epsilon))
