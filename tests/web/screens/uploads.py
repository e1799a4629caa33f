"""Files given to the app's controls, each of which is replaced by an empty one once it has taken a
file.
"""

from streamlit.testing.v1 import AppTest


def give(app: AppTest, key: str, name: str, content: bytes, kind: str = "text/csv") -> None:
    """Give a file to the control under this key that is there now."""
    control = next(
        element for element in app.file_uploader if str(element.key).startswith(f"{key}~")
    )
    control.set_value((name, content, kind)).run()


def agree(app: AppTest) -> None:
    """Agree to what stands to be confirmed."""
    app.button(key="agree").click().run()


def bring(app: AppTest, content: bytes, name: str = "in.csv") -> None:
    """Bring in a file as it is read, whatever is told of it."""
    source = next(box for box in app.selectbox if box.label == "Scores from")
    if source.value != "upload":
        source.set_value("upload").run()
    give(app, "data_file", name, content)
    agree(app)
    assert not app.exception


def take(app: AppTest, content: bytes, name: str = "in.csv") -> None:
    """Bring in a file of which nothing is told."""
    bring(app, content, name)
    assert not app.error, [told.value for told in app.error]
