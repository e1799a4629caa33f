"""A class on the projector: what its teacher sees and does; the students' page is `phone`.

`access` says whose browser this is, `vote_bars` draws bars. `teacher` is the view, `console` what
is at hand at every step, `results` what stays, `entry` the ways into a class.
"""

from dpviz.web.classroom.entry import offer, way_in
from dpviz.web.classroom.teacher import teach

__all__ = ["offer", "teach", "way_in"]
