"""`deployments` lists what the page shows, and reads a folder of one's own."""

from pathlib import Path

import pytest

from tests.commands.conftest import Run


def test_it_lists_all_deployments_or_some_and_tells_what_they_promise(run: Run) -> None:
    assert len(run("deployments").rows) == 41
    assert len(run("deployments Wikimedia").rows) == 4  # by its publisher
    devices = run("deployments pageviews --unit device --format json")
    (row,) = devices.json["rows"]
    assert (row["unit"], row["epsilon"]) == ("device-day", None)
    assert row["published_at_100"] == pytest.approx(0.708, abs=5e-4)
    assert "right at most 54 times in 100" in devices.err
    assert run("deployments --unit household").rows == []
    assert "NAME must be" in run("deployments dragon").err


def test_a_folder_of_ones_own_is_read_or_refused_in_a_sentence(run: Run, tmp_path: Path) -> None:
    own = "deployment: {basic: {name: Loans}, privacy_loss: {privacy_unit: household}}"
    (tmp_path / "loans.yaml").write_text(own, encoding="utf-8")
    (row,) = run(f"deployments --registry {tmp_path} --unit household").rows
    assert (row["name"], row["guess"]) == ("Loans", "")
    (tmp_path / "bad.yaml").write_text("[", encoding="utf-8")
    for folder, says in ((tmp_path, "'bad.yaml' cannot be read"), (tmp_path / "no", "--registry")):
        ran = run(f"deployments --registry {folder}")
        assert (ran.code, ran.out, says in ran.err) == (2, "", True)
