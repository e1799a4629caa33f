"""A screen lays a page's view out in Streamlit: a file or folder a page."""
