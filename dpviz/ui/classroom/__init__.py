"""A class on the screen: the teacher's view for the projector, the students' for their phones.

`access` says whose browser this is, `live` draws again what has changed in the class, `bars` are the students' light
pictures, `qr` the join address as a picture; `teacher` and `student` are the two views, `door` where a code is typed.
"""

from dpviz.ui.classroom.begin import offer, way_in
from dpviz.ui.classroom.door import join
from dpviz.ui.classroom.teacher import teach

__all__ = ["join", "offer", "teach", "way_in"]
