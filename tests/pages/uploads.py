"""Files given to the app's controls, each of which is replaced by an empty one once it has taken a file."""

from streamlit.testing.v1 import AppTest

__all__ = ["give"]


def give(app: AppTest, key: str, name: str, content: bytes, kind: str = "text/csv") -> None:
    """Give a file to the control under this key that is there now."""
    control = next(element for element in app.file_uploader if str(element.key).startswith(f"{key}~"))
    control.set_value((name, content, kind)).run()
