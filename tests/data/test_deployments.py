"""Entries of the registry: facts with a source, nothing filled in, and strangers' files in a sentence."""

import re
from importlib.resources import files

import pytest
import yaml

from dpviz.data import deployments
from dpviz.data.deployments import public_deployments, read_deployment, read_deployment_upload
from dpviz.data.reading.input_rules import IngestError

MEMBERS = set(
    """
    basic name data_curators intended_use data_product_type data_product_region description
    publication_date data_product_sector dp_variant variant_name unprotected_quantities privacy_loss
    privacy_unit privacy_unit_details privacy_parameters epsilon delta rho privacy_parameters_details
    deployment_model model_name release_type data_source_type access_type accounting composition
    implementation mechanisms administrative sources notes registry_authors
    """.split()  # noqa: SIM905
)
"""Names of the registry's schema that our files use."""
TEXTS = {
    one.name: one.read_text(encoding="utf-8")
    for one in files(deployments).iterdir()
    if one.name.endswith(".yaml")
}


def names(part: object) -> set[str]:
    if not isinstance(part, dict):
        return set()
    return set(part).union(*map(names, part.values()))


@pytest.mark.parametrize("name", TEXTS)
def test_an_entry_keeps_to_the_schema_and_names_source_date_and_address(name: str) -> None:
    told = yaml.safe_load(TEXTS[name])
    assert set(told) == {"url_slug", "status", "tier", "deployment"}
    assert names(told["deployment"]) <= MEMBERS
    read = read_deployment(name, TEXTS[name].encode())
    assert read.sources
    assert re.search(r"read on \d+ \w+ \d{4} .*https://github.com/opendp/", read.notes or "")
    assert len({one.slug for one in public_deployments()}) == len(TEXTS) == 41


def test_a_parameter_that_is_not_stated_stays_unknown() -> None:
    read = read_deployment("a.yaml", b"deployment: {basic: {name: A}}")
    stated = {name: value for name, value in vars(read).items() if value not in {None, ()}}
    assert stated == {"slug": "a", "name": "A"}
    told = b"deployment: {dp_variant: {variant_name: %s}, privacy_loss: {privacy_parameters: {%s}}}"
    pure, both, formula = (
        read_deployment("a.yaml", told % each)
        for each in (
            (b"Pure DP", b"epsilon: 1"),
            (b"Approximate DP", b"epsilon: 1"),
            (b"Approximate DP", b"epsilon: 1, delta: 1/n"),
        )
    )
    assert (pure.delta, both.delta, formula.delta, formula.delta_text) == (0, None, None, "1/n")


def test_noise_and_threshold_are_read_from_lines_of_their_own() -> None:
    lines = "\n   - ".join(
        ["", "noise: gaussian", "contributions: 10", "threshold: 90", "names: known"]
    )
    text = f"deployment:\n implementation:\n  mechanisms: |{lines}"
    read = read_deployment("a.yaml", text.encode())
    assert (read.noise, read.contributions, read.threshold) == ("gaussian", 10, 90.0)
    assert read.names_known is True


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
