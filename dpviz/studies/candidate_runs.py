"""Runs of private candidates with their name, from a person's table or made by a page."""

from dataclasses import dataclass

from dpviz.candidates import CandidatePool


@dataclass(frozen=True, eq=False)
class CandidateRuns:
    """A pool of runs; `empirical` where the runs stand for the law of new ones."""

    pool: CandidatePool
    key: str
    name: str = "Your own runs"
    empirical: bool = True
    note: str = ""
