"""A student's page, for a phone on bad Wi-Fi: plain HTML, and one stream that says what has
changed.

`endpoints` are its routes beside Streamlit's in the same process, `guard` who may ask them.
`rooms` looks at a class for all phones that this process has of it, `view` is what a phone shows.
The class itself is in the store that all processes share, so any process serves any phone.
"""

from dpviz.web.classroom.phone.endpoints import phone_routes

__all__ = ["phone_routes"]
