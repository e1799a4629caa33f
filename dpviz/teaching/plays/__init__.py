"""Walkthroughs: one release of a mechanism, move by move, drawn by a generator.

Invariant: the outcome of a play has the law of the lesson's experiment.
"""

from dpviz.teaching.plays.coin_walkthroughs import (
    play_canonical_list,
    play_permute_and_flip,
    play_unprotected_best_run,
    sparse_vector_moves,
)
from dpviz.teaching.plays.evidence_walkthroughs import (
    play_growing_evidence,
    play_membership_guess,
    play_reidentification,
)
from dpviz.teaching.plays.noise_walkthroughs import NoisySelection

__all__ = [
    "NoisySelection",
    "play_canonical_list",
    "play_growing_evidence",
    "play_membership_guess",
    "play_permute_and_flip",
    "play_reidentification",
    "play_unprotected_best_run",
    "sparse_vector_moves",
]
