"""The app without a browser, by Streamlit's AppTest, doing no more for each than a server."""

from functools import cache

from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest, local_script_runner

from dpviz.base.app_paths import APP_FOLDER

__all__ = ["SECTIONS", "new_app"]

SECTIONS = (
    *("settings_data", "settings_designs", "settings_gaps", "settings_margin"),
    *("settings_candidates", "settings_candidates_from"),
)
"""Folds of the sidebar, whose controls are drawn where they are open."""
SLOWEST = 60.0  # seconds a run may last; the default of 3 is short where many tests share a machine
until_ended = local_script_runner.require_widgets_deltas


def ended(runner: local_script_runner.LocalScriptRunner, timeout: float = SLOWEST) -> None:
    """Wait for a run by its thread."""
    assert runner._script_thread is not None
    runner._script_thread.join(timeout)
    until_ended(runner, 0.1)


manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
local_script_runner.require_widgets_deltas = ended


def new_app() -> AppTest:
    """The app, not run yet."""
    return AppTest.from_file(str(APP_FOLDER / "app.py"), default_timeout=SLOWEST)
