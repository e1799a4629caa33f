"""How mechanisms are seen at work: one release, move by move, from the luck of a generator.

`noise_walkthroughs` has the plays in which counts get their noise and the largest are taken,
`coin_walkthroughs` those in which one coin after the other decides, `evidence_walkthroughs` those
in which releases are put together. A lesson gives its own counts and words. Invariant: what a play
ends with has the law of the lesson's experiment; the tests hold it to that.
"""

from dpviz.teaching.plays.coin_walkthroughs import best_run, flips, one_cut, until_yes
from dpviz.teaching.plays.evidence_walkthroughs import guesses, narrowed, speaks
from dpviz.teaching.plays.noise_walkthroughs import Race, peeled, race

__all__ = [
    "Race",
    "best_run",
    "flips",
    "guesses",
    "narrowed",
    "one_cut",
    "peeled",
    "race",
    "speaks",
    "until_yes",
]
