"""Runs of private candidates that a person brought or that a page made, with their name."""

from dataclasses import dataclass

from dpviz.candidates import CandidatePool


@dataclass(frozen=True, eq=False)
class CandidateRuns:
    """Runs of candidates with their key and name.

    Parameters
    ----------
    pool
        The candidates, with their runs.
    key
        Tells these runs from others.
    name
        Of the candidates, on the screen.
    empirical
        Whether the runs stand for the law of new ones.
    note
        A sentence on where they come from.
    """

    pool: CandidatePool
    key: str
    name: str = "Your own runs"
    empirical: bool = True
    note: str = ""
