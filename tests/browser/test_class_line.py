"""The console beside the projected view, when the server has begun again and knows no part of the
page.
"""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from dpviz.teaching.classes import ClassManager
from tests.browser.class_steps import NewPage
from tests.browser.line import Line
from tests.browser.steps import open_page


@pytest.mark.long  # the page waits some seconds before it tries its line again
def test_a_console_is_loaded_anew_once_the_line_is_back(
    new_page: NewPage, server: str, store: Path
) -> None:
    classes = ClassManager(store, age=0.0)
    code, teacher = classes.begin_class("permute_and_flip")
    page = new_page(server)
    page.context.add_cookies([{"name": "dpviz_teacher", "value": teacher, "url": server}])
    line = Line(page)
    open_page(page, f"/classroom?console={code}")
    page.wait_for_function("() => window.dpvizClassLine")
    page.evaluate("() => { window.before = true; }")
    line.cut()
    classes.move_to_stop(teacher, 1)
    classes.close()
    line.mend()
    page.wait_for_function("() => !window.before")
    expect(page.get_by_text("step 2 of")).to_be_visible()
