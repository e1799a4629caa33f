"""Every page under damaged links of its own: it comes up, with a sentence where the link could not
be read.

python -m tests.fuzz_pages [cases] [seed] [page ...]
"""

import sys
from collections import Counter

import numpy as np

from dpviz.base.app_paths import APP_FOLDER
from tests.app import new_app
from tests.fuzz_scenarios import page_link

PAGES = sorted(path.stem for path in (APP_FOLDER / "pages").glob("*.py"))


def try_page(page: str, query: dict[str, str]) -> str:
    """What came of a link: "page", or "sentence" where the page says something about it."""
    app = new_app()
    for key, value in query.items():
        if (key + value).isprintable():  # as an address has it
            app.query_params[key] = value
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception, (page, query, [told.value for told in app.exception])
    return "sentence" if app.info or app.error or app.warning else "page"


if __name__ == "__main__":
    cases, seed = int((sys.argv[1:] or ["1000"])[0]), int((sys.argv[2:] or ["0"])[0])
    chosen = sys.argv[3:] or PAGES
    seen: Counter[str] = Counter()
    for case in range(cases):
        page = chosen[case % len(chosen)]
        query = page_link(page, np.random.default_rng([seed, case]))
        try:
            seen[f"{page}: {try_page(page, query)}"] += 1
        except Exception as err:  # noqa: BLE001 - counted, and told with its case
            seen["broken"] += 1
            sys.stdout.write(f"{page} {seed} {case}: {str(err)[:2000]!r}\n")
    sys.stdout.write(f"{dict(sorted(seen.items()))}\n")
