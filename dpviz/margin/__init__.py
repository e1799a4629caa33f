"""One item of a huge universe: the large margin mechanism beside those whose noise grows with its size.

Read `one_item` first (the base and its menu), then `large_margin`. `front_group` measures how clear the
front is, `universe_curve` follows every mechanism as the universe grows.
"""

from dpviz.base import discover

discover(__name__)
