"""A person's session: the scenario, named values, and callbacks for the next run."""

from dpviz.web.session.slot import SessionValue, defer_to_next_run, run_deferred_work
