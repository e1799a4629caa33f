"""Background work beside a page, with results as they come; read `job` first."""

from dpviz.web.jobs.fair_shares import take_turn
from dpviz.web.jobs.job import Done, Job, ProcessSteps, WorkStep
from dpviz.web.jobs.job_queue import (
    PATIENCE,
    RecentCache,
    missing_steps,
    session_cache,
    session_job_queue,
    work_steps,
)
