"""Every page under damaged links: it comes up, with a sentence where the link was not read."""

from dpviz.base.app_paths import APP_FOLDER
from tests.app import SECTIONS, new_app

PAGES = sorted(path.stem for path in (APP_FOLDER / "pages").glob("*.py"))


def try_page(page: str, query: dict[str, str]) -> str:
    """What came of a link: "page", or "sentence" where the page says something about it."""
    app = new_app()
    for key, value in query.items():
        if (key + value).isprintable():  # as an address has it
            app.query_params[key] = value
    for section in SECTIONS:
        app.session_state[f"{section}_fold"] = True
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception, (page, query, [told.value for told in app.exception])
    return "sentence" if app.info or app.error or app.warning else "page"
