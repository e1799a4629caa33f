"""Links to pages of the app, read without the app."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import parse_qsl, urlencode, urlsplit

from dpviz.base import ParameterError
from dpviz.studies.scenario import Scenario, first_scenario_query

_VIEW = "view"  # of a page, and no part of a scenario


@dataclass(frozen=True)
class Link:
    """Address of a page, its name ("" for the first page), and its query."""

    address: str
    page: str
    query: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an address; raises `ParameterError` for anything else."""
        parts = urlsplit(text)
        if not cls.is_address(text) or not parts.netloc:
            raise ParameterError(
                "the link", text, "an address of a page of the app, as its bar shows it"
            )
        return cls(
            parts._replace(query="", fragment="").geturl(),
            parts.path.rstrip("/").rpartition("/")[2],
            dict(parse_qsl(parts.query, keep_blank_values=True)),
        )

    @staticmethod
    def is_address(text: str) -> bool:
        return text.startswith(("http://", "https://"))

    def read_scenario(self, first_scenario: Scenario | None = None) -> Scenario:
        """Scenario of the link, on top of the page's first one unless the link has data."""
        given = {} if first_scenario is None else first_scenario_query(first_scenario, self.query)
        return Scenario.from_query({**given, **self.query})

    def url_with_scenario(self, scenario: Scenario) -> str:
        view = {_VIEW: self.query[_VIEW]} if _VIEW in self.query else {}
        return f"{self.address}?{urlencode(scenario.to_query() | view)}"
