"""Which k items: private mechanisms for the top k, and the exact law of what comes out.

Read `mechanism` first (the base and its menu), then `distribution` (every figure, derived once from one
of four laws in `law`), then `canonical`. `cutoff` holds the one-shot law, `joint` the laws over loss levels;
`budget` solves for ε, `curves` follows a figure over ε or k, `promises` has the theorems' bounds.
"""

from dpviz.base import discover

discover(__name__)
