"""What holds for every test: hypothesis profiles, and which files are tests."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

pytest.register_assert_rewrite("tests.contract", "tests.menus", "tests.candidate_contract", "tests.gap_contract")
pytest.register_assert_rewrite("tests.noise_contract", "tests.threshold_contract", "tests.top_one_contract")

# No deadline anywhere: how long a draw takes says more of the machine than of the code.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ci" if os.environ.get("CI") else "local")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Keep --doctest-modules, which is meant for dpviz, from importing the helpers and benchmarks in tests."""
    if collection_path.suffix == ".py" and not collection_path.name.startswith("test_"):
        return True
    return None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    """Workers take a file at a time, and one of them all browser tests: they share one server and one browser."""
    return ByFile(config, log)


class ByFile(LoadScopeScheduling):
    """Tests with the same scope run in the same worker."""

    def _split_scope(self, nodeid: str) -> str:
        return "browser" if nodeid.startswith("tests/browser/") else nodeid.split("::", 1)[0]
