"""Background work beside a page, with results as they come; read `job` first."""

from dpviz.web.jobs.fair_shares import take_turn
from dpviz.web.jobs.job import (
    PATIENCE,
    Done,
    Job,
    ProcessSteps,
    RecentCache,
    WorkStep,
    missing_steps,
    session_cache,
    session_job_queue,
    work_steps,
)
