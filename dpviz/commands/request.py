"""From options to a scenario: designs, ε, k, scores and seed; options change the scenario file's."""

import argparse
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dpviz.base import ParameterError, Progress, Scores, declared_parameters, unknown_names_warning
from dpviz.commands.data_options import DataOptions, add_data_options
from dpviz.commands.options import (
    Option,
    OptionGroup,
    ParameterOptions,
    flag,
    given_option_values,
    parameter_help,
    parse_entry,
    parse_parameter,
    refuse_unused_options,
    registry_menu,
)
from dpviz.studies import FIGURES, Design, Scenario
from dpviz.studies.design import resolve_top_k_name
from dpviz.studies.provenance import ShownMechanism, mechanisms_needing_known_names
from dpviz.studies.stated_rule import no_passing_item_sentences, stated_rule_sentences
from dpviz.topk import TOP_K, TopKMechanism

AT_LEAST = "for hits: the number of items of the list that score at least the k-th largest score"

_NOISY_COUNTS = "ε also covers the noisy counts of the items in the list."
DECLARED = {p.name: p for p in declared_parameters(TopKMechanism)}
"""ε and k, which all designs share."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """Subject of one command."""

    name: str
    scenario: Scenario
    scores: Scores
    notes: tuple[str, ...]
    others: tuple[Scores, ...] = ()


@dataclass(frozen=True, kw_only=True)
class RequestOptions:
    """Options of mechanisms, ε, k, draws and data; a `grid` takes several of each."""

    several: bool = False
    grid: bool = False
    without: tuple[str, ...] = ()  # names to leave out; a command without mechanism has its own
    epsilon_default: str = "1"

    def __call__(self, parser: argparse.ArgumentParser) -> None:
        parser.set_defaults(mechanism=None, k=None)
        many = {"nargs": "+"} if self.grid else {}
        options = [
            Option(
                "-m",
                "--mechanism",
                action="append",
                metavar="NAME[:P=V,...]",
                help=registry_menu(TOP_K) + (" Can be given many times." if self.several else ""),
            ),
            Option(
                "-e",
                "--epsilon",
                metavar="ε",
                help=_told("epsilon", self.epsilon_default, self.grid),
                **many,
            ),
            Option(
                "-k",
                "--k",
                metavar="K",
                help=_told("k", "that of the example, else 10", self.grid),
                **many,
            ),
            Option("--seed", type=int, metavar="N", help="the seed of all draws (default 0)"),
            Option(
                "--samples",
                type=int,
                default=10_000,
                metavar="N",
                help="draws, if the probabilities are estimated (default 10000)",
            ),
        ]
        told = [option for option in options if option.names[-1].lstrip("-") not in self.without]
        OptionGroup("what is computed", *told)(parser)
        if "mechanism" not in self.without:
            shared = (*DECLARED, "contributions", "names_known")  # as the options of the data say
            ParameterOptions("parameters of mechanisms", TOP_K, shared=shared)(parser)
        add_data_options(parser, several=self.grid)


def _told(name: str, default: str, grid: bool) -> str:
    declared = DECLARED[name]
    text = f"{declared.label}: {parameter_help(declared)} (default: {default}). {declared.help}"
    return text + (
        " LOW:HIGH:COUNT makes a grid with equal ratios." if grid and name == "epsilon" else ""
    )


def find_item_by_label(label: str, scores: Scores, option: str) -> int:
    items = [i for i in range(scores.d) if scores.label(i) == label]
    if len(items) != 1:
        raise ParameterError(
            option, label, "the label of one item" + (f", not of {len(items)}" if items else "")
        )
    return items[0]


def wanted_figures(figure_names: Sequence[str] | None, at_least: int | None) -> tuple[str, ...]:
    """Named figures, else all; hits only with `at_least`."""
    return (
        tuple(figure_names) if figure_names else (*FIGURES, *([] if at_least is None else ["hits"]))
    )


def chosen_designs(args: argparse.Namespace, base: Scenario) -> tuple[Design, ...]:
    """Designs of the options, else of the scenario, with the parameters of the options."""
    given = given_option_values(args, TOP_K)
    if not args.mechanism and not given:
        return base.designs
    if not args.mechanism:
        refuse_unused_options([design.mechanism for design in base.designs], TOP_K, given)
        return tuple(_changed(design, given) for design in base.designs)
    designs = parse_designs(args.mechanism, given)
    refuse_unused_options([design.mechanism for design in designs], TOP_K, given)
    return designs


def parse_designs(texts: Sequence[str], option_values: Mapping[str, str]) -> tuple[Design, ...]:
    """Designs that `--mechanism` names, with the parameters of the options."""
    for text in texts:
        resolve_top_k_name(text.partition(":")[0])  # which says where another kind of mechanism is
    named = [
        parse_entry(text, TOP_K, option_values, shared_names=tuple(DECLARED)) for text in texts
    ]
    return tuple(Design(mechanism=name, parameters=parameters) for name, parameters in named)


def _changed(design: Design, given: dict[str, str]) -> Design:
    _, changes = parse_entry(design.mechanism, TOP_K, given, shared_names=tuple(DECLARED))
    return Design(mechanism=design.mechanism, parameters={**design.parameters, **changes})


def _with_person(design: Design, person: Mapping[str, Any]) -> Design:
    """The design with the facts of one person as the data say, where its noise is stated."""
    if design.stated_scale is None:
        return design
    own = {p.name for p in design.own_parameters}
    said = {name: value for name, value in person.items() if value and name in own}
    return replace(design, parameters={**said, **design.parameters})


def unknown_names_note(
    scenario: Scenario, scores: Scores, shown_mechanism: ShownMechanism | None = None
) -> tuple[str, ...]:
    """Warning if ε needs known names and has none: of `shown_mechanism`, else of the designs."""
    called = mechanisms_needing_known_names(scenario, scores, shown_mechanism)
    return (unknown_names_warning(called),) if called else ()


def build_request(
    args: argparse.Namespace,
    progress: Progress,
    *,
    single_design: bool = False,
    own_mechanism: bool = False,
    allow_past_periods: bool = False,  # further files are `others`
    warn_unheld_epsilon: bool = True,  # warns of designs whose ε does not hold
) -> Request:
    """Request of a command on one score vector; `single_design` design only, or its `own_mechanism`
    mechanism.
    """
    options = DataOptions(args, getattr(args, "first", None))
    base = options.base_scenario
    designs = chosen_designs(args, base)
    notes: tuple[str, ...] = ()
    if single_design and len(designs) > 1:
        if args.mechanism:
            raise ParameterError(
                "--mechanism", ", ".join(args.mechanism), "given once for this command"
            )
        notes = (
            f"The scenario has {len(designs)} mechanisms. This is the first, {designs[0].label}.",
        )
        designs = designs[:1]
    vectors = options.read_scores(progress)
    if len(vectors) > 1 and not (
        allow_past_periods and all(data.scores is not None for data in vectors)
    ):
        raise ParameterError(
            "the data", ", ".join(data.name for data in vectors), "one source for this command"
        )
    data, *past = vectors
    person = {"contributions": data.spec.contributions, "names_known": args.names == "known"}
    designs = tuple(_with_person(design, person) for design in designs)
    if args.epsilon is not None and all(design.stated_scale for design in designs):
        allowed = (
            f"left out beside {flag(str(designs[0].stated_scale))}, as ε follows from the noise"
        )
        raise ParameterError("--epsilon", args.epsilon, allowed, "needless")
    scenario = Scenario(
        data=data.spec,
        epsilon=base.epsilon
        if args.epsilon is None
        else parse_parameter(DECLARED["epsilon"], args.epsilon),
        k=(data.k or base.k) if args.k is None else parse_parameter(DECLARED["k"], args.k),
        designs=designs,
        page=base.page,
        seed=base.seed if args.seed is None else args.seed,
        scores=data.scores,
        name=base.name,
    )
    scores = scenario.load()
    if warn_unheld_epsilon and not own_mechanism:
        notes += unknown_names_note(scenario, scores)
    mechanisms = () if own_mechanism else scenario.mechanisms
    for mechanism in mechanisms:
        notes += (*stated_rule_sentences(mechanism), *no_passing_item_sentences(mechanism, scores))
    if any(m.releases_scores(scores.contributions) and m.epsilon < math.inf for m in mechanisms):
        notes += (_NOISY_COUNTS,)
    return Request(
        name=data.name,
        scenario=scenario,
        scores=scores,
        notes=notes + data.notes,
        others=tuple(one.scores for one in past if one.scores is not None),
    )
