"""`deployments` lists what the page shows, and reads a folder of one's own."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands.conftest import Ran

Run = Callable[[str], Ran]


def test_it_lists_all_deployments_or_those_of_a_unit(run: Run) -> None:
    every = run("deployments").rows
    assert len(every) == 41
    devices = run("deployments --unit device --format json").json["rows"]
    assert {row["unit"] for row in devices} == {"device-day", "device"}
    assert devices[0]["published_at_100"] == pytest.approx(0.708, abs=5e-4)
    assert devices[0]["epsilon"] is None
    assert run("deployments --unit household").rows == []


def test_a_name_tells_what_is_promised(run: Run) -> None:
    ran = run("deployments 'current pageviews'")
    (row,) = ran.rows
    assert row["name"] == "Wikipedia Current Pageviews"
    assert "right at most 54 times in 100" in ran.err
    wrong = run("deployments dragon")
    assert (wrong.code, "NAME must be" in wrong.err) == (2, True)


def test_a_folder_of_ones_own_is_read(run: Run, tmp_path: Path) -> None:
    own = "deployment: {basic: {name: Loans}, privacy_loss: {privacy_unit: household}}"
    (tmp_path / "loans.yaml").write_text(own, encoding="utf-8")
    (row,) = run(f"deployments --registry {tmp_path} --unit household").rows
    assert (row["name"], row["guess"]) == ("Loans", "")
    (tmp_path / "bad.yaml").write_text("[", encoding="utf-8")
    ran = run(f"deployments --registry {tmp_path}")
    assert (ran.code, ran.out) == (2, "")
    assert "'bad.yaml' cannot be read as YAML or JSON." in ran.err
