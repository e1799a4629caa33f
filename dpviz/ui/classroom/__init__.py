"""A class on the screen: the teacher's view for the projector, the students' for their phones.

`access` says whose browser this is, `bars` are the students' light pictures; `teacher` and `student` are the two views,
made of `learn.step`, `door` the ways into a class.
"""

from dpviz.ui.classroom.door import join, offer, way_in
from dpviz.ui.classroom.teacher import teach

__all__ = ["join", "offer", "teach", "way_in"]
