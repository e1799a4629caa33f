"""Score vectors to start from: bundled examples and generators, all made up.

`EXAMPLES` and `GENERATORS` are the menus; each entry gives `scores()`.
"""

from dpviz.data.examples import DEFAULT_EXAMPLE, EXAMPLES, Example
from dpviz.data.generators import GENERATORS, ScoreGenerator

__all__ = ["DEFAULT_EXAMPLE", "EXAMPLES", "GENERATORS", "Example", "ScoreGenerator"]
