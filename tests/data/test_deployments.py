"""Entries of the registry: facts with a source, nothing filled in, and strangers' files in a sentence."""

import re
from importlib.resources import files
from pathlib import Path

import pytest
import yaml

from dpviz.base import ParameterError
from dpviz.data import deployments
from dpviz.data.deployments import (
    Deployment,
    public_deployments,
    read_deployment,
    read_deployment_folder,
    read_deployment_upload,
    unit_group,
)
from dpviz.data.reading.input_rules import IngestError

MEMBERS = {
    "basic": "name data_curators intended_use data_product_type data_product_region description"
    " publication_date data_product_sector",
    "dp_variant": "variant_name data_domain unprotected_quantities",
    "privacy_loss": "privacy_unit privacy_unit_details privacy_parameters privacy_parameters_details",
    "deployment_model": "model_name release_type data_source_type access_type",
    "accounting": "post_processing composition",
    "implementation": "mechanisms justification",
    "administrative": "sources notes registry_authors",
}
"""Parts of the registry's schema that our files use."""
TEXTS = {
    one.name: one.read_text(encoding="utf-8")
    for one in files(deployments).iterdir()
    if one.name.endswith(".yaml")
}


@pytest.mark.parametrize("name", TEXTS)
def test_an_entry_keeps_to_the_schema_and_names_source_date_and_address(name: str) -> None:
    told = yaml.safe_load(TEXTS[name])
    assert set(told) == {"url_slug", "status", "tier", "deployment"}
    for part, members in told["deployment"].items():
        assert set(members) <= set(MEMBERS[part].split()), part
    parameters = told["deployment"].get("privacy_loss", {}).get("privacy_parameters", {})
    assert set(parameters) <= {"epsilon", "delta", "rho"}
    read = read_deployment(name, TEXTS[name].encode())
    assert read.sources
    assert re.search(r"read on \d+ \w+ \d{4} .*https://github.com/opendp/", read.notes or "")
    assert (read.epsilon, read.rho) == (parameters.get("epsilon"), parameters.get("rho"))


def test_every_entry_is_read_once() -> None:
    entries = public_deployments()
    assert len({one.slug for one in entries}) == len(entries) == len(TEXTS) == 41


def test_a_parameter_that_is_not_stated_stays_unknown() -> None:
    read = read_deployment("a.yaml", b"deployment: {basic: {name: A}}")
    stated = {name: value for name, value in vars(read).items() if value not in {None, (), False}}
    assert stated == {"slug": "a", "name": "A"}
    told = b"deployment: {dp_variant: {variant_name: %s}, privacy_loss: {privacy_parameters: {epsilon: 1}}}"
    assert read_deployment("a.yaml", told % b"Pure DP").delta == 0
    assert read_deployment("a.yaml", told % b"Approximate DP").delta is None
    formula = told.replace(b"epsilon: 1", b"epsilon: 1, delta: 1/n") % b"Approximate DP"
    assert (
        read_deployment("a.yaml", formula).delta_text,
        read_deployment("a.yaml", formula).delta,
    ) == (
        "1/n",
        None,
    )


def test_noise_and_threshold_are_read_from_lines_of_their_own() -> None:
    lines = "   - noise: gaussian\n   - contributions: 10\n   - threshold: 90\n   - names: known\n"
    read = read_deployment(
        "a.yaml", f"deployment:\n implementation:\n  mechanisms: |\n{lines}".encode()
    )
    assert (read.noise, read.contributions, read.threshold, read.names_known) == (
        *("gaussian", 10),
        *(90.0, True),
    )
    prose = b"deployment: {implementation: {mechanisms: 'a threshold: of 90 was used'}}"
    assert read_deployment("a.yaml", prose).threshold is None


BOMB = "a: &a [x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"[1, 2", "YAML or JSON"),
        (b"\xff\xfe\x00", "YAML or JSON"),
        (b"- 1\n- 2", "neither a deployment"),
        (b"{}", "neither a deployment"),
        (b"deployment: !!python/object/apply:os.system ['true']", "YAML or JSON"),
        (b"deployment: {privacy_loss: {privacy_parameters: {epsilon: -1}}}", "epsilon must be"),
        (b"deployment: {privacy_loss: {privacy_parameters: {epsilon: .nan}}}", "epsilon must be"),
        (b"deployment: {privacy_loss: {privacy_parameters: {rho: [1]}}}", "rho must be"),
        (b"deployment: {implementation: {mechanisms: 'noise: pink'}}", "noise must be"),
        (b"[" * 100_000, "YAML or JSON"),
        (BOMB.encode() + b"deployment: *i", "neither a deployment"),
        (b" " * 1_000_001, "larger than 1 MB"),
    ],
    ids=range(12),
)
def test_a_strangers_file_is_refused_in_one_sentence(content: bytes, says: str) -> None:
    with pytest.raises(IngestError) as err:
        read_deployment_upload("in.yaml", content)
    assert says in str(err.value)
    assert str(err.value).count(". ") == 0
    assert len(str(err.value)) < 300


def test_a_folder_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("deployment: {basic: {name: A}}", encoding="utf-8")
    (tmp_path / "schema.yaml").write_text("type: object", encoding="utf-8")
    (read,) = read_deployment_folder(tmp_path)
    assert (read.name, read.own) == ("A", True)
    with pytest.raises(ParameterError, match="--registry"):
        read_deployment_folder(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("unit", "group", "times"),
    [
        ("user-day", "person", 365),
        ("Device-day-level", "device", 365),
        ("User-quarter-day-level", "person", 1460),
        ("hiring event-month", "event or record", 12),
        ("household", "household", None),
        ("reader", "other", None),
        (None, None, None),
    ],
)
def test_a_unit_has_a_kind_and_a_period(
    unit: str | None, group: str | None, times: int | None
) -> None:
    assert unit_group(unit) == group
    assert Deployment(slug="a", name="A", unit=unit).times_a_year == times
