"""How mechanisms are seen at work: one release, move by move, from the luck of a generator.

`noise_walkthroughs` has the plays in which counts get their noise and the largest are taken,
`coin_walkthroughs` those in which one coin after the other decides, `evidence_walkthroughs` those
in which releases are put together. A lesson gives its own counts and words. Invariant: what a play
ends with has the law of the lesson's experiment; the tests hold it to that.
"""

from dpviz.teaching.plays.coin_walkthroughs import (
    play_best_run,
    play_canonical_list,
    play_permute_and_flip,
    sparse_vector_moves,
)
from dpviz.teaching.plays.evidence_walkthroughs import (
    play_growing_evidence,
    play_membership_guess,
    play_reidentification,
)
from dpviz.teaching.plays.noise_walkthroughs import (
    NoisySelection,
    play_noisy_selection,
    play_peeling,
)

__all__ = [
    "NoisySelection",
    "play_best_run",
    "play_canonical_list",
    "play_growing_evidence",
    "play_membership_guess",
    "play_noisy_selection",
    "play_peeling",
    "play_permute_and_flip",
    "play_reidentification",
    "sparse_vector_moves",
]
