"""A student's page, for a phone on bad Wi-Fi: plain HTML, and one stream of changes.

The class is in a store that all processes share, so any process serves any phone.
"""

from dpviz.web.classroom.phone.endpoints import phone_routes

__all__ = ["phone_routes"]
