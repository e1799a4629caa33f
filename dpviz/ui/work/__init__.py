"""What is computed beside a page, and handed over as it comes; read `job` first.

A `Job` runs named steps in a thread; the session's `desk` starts jobs, keeps them and cancels what
nobody wants any more. `beside` computes studies so, and draws views of them; `pending` are the
parts of a page that fill as results come, and the line that says what is under way and stops it.
`kept` of the desk holds what was made, for a while; `shares` has jobs of all sessions compute in
turn. Nothing of it ever leaves the session.
"""

from dpviz.ui.work.apart import Elsewhere
from dpviz.ui.work.beside import all_beside, awaited, beside, folded_view, view
from dpviz.ui.work.desk import PATIENCE, Kept, desk, kept, work_on
from dpviz.ui.work.job import Done, Job, WorkStep
from dpviz.ui.work.pending import filling, look, part, there, together, whole
from dpviz.ui.work.turns import turn
from dpviz.ui.work.watch import Pace

__all__ = [
    "PATIENCE",
    "Done",
    "Elsewhere",
    "Job",
    "Kept",
    "Pace",
    "WorkStep",
    "all_beside",
    "awaited",
    "beside",
    "desk",
    "filling",
    "folded_view",
    "kept",
    "look",
    "part",
    "there",
    "together",
    "turn",
    "view",
    "whole",
    "work_on",
]
