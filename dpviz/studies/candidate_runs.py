"""Runs of private candidates that a person brought or that a page made, with their name."""

from dataclasses import dataclass

from dpviz.candidates import CandidatePool


@dataclass(frozen=True, eq=False)
class CandidateRuns:
    """Runs of candidates with their key and name."""

    pool: CandidatePool
    key: str
    name: str = "Your own runs"
    empirical: bool = True
    note: str = ""
