"""Class: what a teacher shows of a class, on a projector."""

from dpviz import web
from dpviz.web import classroom

web.start_alone("classroom")
classroom.teach(web.look())
