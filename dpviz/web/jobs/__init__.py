"""Background work beside a page, with results as they come; read `job` first.

A `Job` runs named steps in a thread. The session's queue starts jobs, keeps them, cancels those no
longer wanted, and caches results for a while. `fair_shares` shares the processors among the jobs of
all sessions, `run_queue` among their pages. No result ever leaves its session.
"""

from dpviz.web.jobs.job import Done, Job, WorkStep
from dpviz.web.jobs.job_queue import (
    PATIENCE,
    ProcessSteps,
    RecentCache,
    missing_steps,
    session_cache,
    session_job_queue,
    start_page_jobs,
    work_steps,
)
from dpviz.web.jobs.run_queue import take_turn

__all__ = [
    "PATIENCE",
    "Done",
    "Job",
    "ProcessSteps",
    "RecentCache",
    "WorkStep",
    "missing_steps",
    "session_cache",
    "session_job_queue",
    "start_page_jobs",
    "take_turn",
    "work_steps",
]
