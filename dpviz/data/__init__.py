"""Score vectors to start from: the menus `EXAMPLES` and `GENERATORS`, all made up."""

from dpviz.data.examples import DEFAULT_EXAMPLE, EXAMPLES, Example
from dpviz.data.generators import GENERATORS, ScoreGenerator

__all__ = ["DEFAULT_EXAMPLE", "EXAMPLES", "GENERATORS", "Example", "ScoreGenerator"]
