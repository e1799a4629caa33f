"""Between the network and Streamlit: middleware, the addresses of downloads, and static files."""
