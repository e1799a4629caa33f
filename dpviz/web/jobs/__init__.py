"""Work beside a page, handed over as it comes; read `job` first.

A `Job` runs named steps in a thread. The session's queue starts jobs, keeps them and cancels what
nobody wants any more; it also keeps what was made, for a while. `fair_shares` lets the jobs of all
sessions compute in turn, `run_queue` their pages. Nothing of it ever leaves the session.
"""

from dpviz.web.jobs.job import Done, Job, WorkStep
from dpviz.web.jobs.job_queue import (
    PATIENCE,
    RecentCache,
    session_cache,
    session_job_queue,
    start_page_jobs,
)
from dpviz.web.jobs.process_steps import ProcessSteps
from dpviz.web.jobs.run_queue import take_turn

__all__ = [
    "PATIENCE",
    "Done",
    "Job",
    "ProcessSteps",
    "RecentCache",
    "WorkStep",
    "session_cache",
    "session_job_queue",
    "start_page_jobs",
    "take_turn",
]
