"""Options for what only the publisher can say, from the declarations of the decision sheet."""

from collections.abc import Mapping
from typing import Any

from dpviz.base import declared_parameters
from dpviz.commands.base import Args, Parser
from dpviz.commands.options import Option, add_option_group, flag
from dpviz.studies.decision.publisher_details import PARTICULARS, PublisherDetails
from dpviz.studies.scenario import Scalar


def add_publisher_options(parser: Parser) -> None:
    options = [
        Option(flag(p.name), dest=PARTICULARS.prefix + p.name, metavar="TEXT", help=p.help)
        for p in declared_parameters(PublisherDetails)
    ]
    add_option_group(parser, "what the sheet asks the publisher (each may stay open)", *options)


def given_publisher_details(args: Args, page: Mapping[str, Scalar]) -> dict[str, Any]:
    """Publisher's details from the scenario, overridden by the options."""
    names = {name.removeprefix(PARTICULARS.prefix): name for name in PARTICULARS.prefixed_names}
    kept = {name: value for name, value in PARTICULARS.read_values(page)[0].items() if value}
    return kept | {
        name: getattr(args, dest) for name, dest in names.items() if getattr(args, dest) is not None
    }
