"""How a test waits for what is computed beside a page."""

import time

from streamlit.testing.v1 import AppTest

MOST = 90.0  # seconds


def run_when_computed(app: AppTest) -> AppTest:
    """Run the page again once its jobs have ended; over and over beside them it would take their
    processor.
    """
    end = time.monotonic() + MOST
    if "dpviz.desk" in app.session_state:
        for jobs in list(app.session_state["dpviz.desk"]._wanted.values()):
            for job in jobs:
                while (
                    not job.wait(0.5) and time.monotonic() < end
                ):  # a job that nobody looks at ends
                    pass
    return app.run()
