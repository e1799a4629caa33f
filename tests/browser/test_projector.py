"""On a projector a class scrolls nothing, so that its foot covers nothing, cuts nothing off, and
reads its text at 32 of 1920 pixels.
"""

from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import Page, TimeoutError, ViewportSize, expect

from dpviz.teaching.classes import ClassManager, CourseStop
from dpviz.teaching.classes.course import build_course
from dpviz.teaching.lessons import LESSONS
from tests.browser.steps import open_page, ready
from tests.browser.windows import NewPage

PEOPLE = 6
# pixels of 1920: what is no heading, and what stands on a picture or beside a name
BODY, CHART = 27.0, 23.5
SIZES: tuple[ViewportSize, ...] = (
    {"width": 1920, "height": 1080},
    {"width": 1366, "height": 768},
    {"width": 1024, "height": 768},
)
MISFITS = """([body, chart]) => {
  const main = document.querySelector('[data-testid=stMain]'), found = [], range = document.createRange();
  if (main.querySelector('[data-stale=true]')) return ['it is being drawn'];
  const down = main.scrollHeight - main.clientHeight, across = main.scrollWidth - main.clientWidth;
  if (down > 1 || across > 1) found.push(`scrolls ${down} down, ${across} across`);
  for (const one of main.querySelectorAll('.katex-display'))
    if (one.scrollWidth > one.clientWidth + 1) found.push('a formula is cut off');
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode.textContent.trim(), of = texts.currentNode.parentElement;
    const unread = 'script, style, thead, .katex, .dp-of, [data-testid=stIconMaterial]';
    if (!text || of.closest(`${unread}, .st-key-class_strip, .st-key-learn_foot`)) continue;
    if (!of.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const heard = of.closest('.dp-live, [data-testid=stMarkdownContainer]');
    if (heard && getComputedStyle(heard).clipPath !== 'none') continue;
    range.selectNodeContents(texts.currentNode);
    const box = range.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) continue;
    const drawn = of.ownerSVGElement ? of.getScreenCTM() : null;
    const size = (drawn ? Math.hypot(drawn.a, drawn.b) : 1) * parseFloat(getComputedStyle(of).fontSize);
    const small = drawn || of.closest('small, sup, .dp-live, button, label, .stSlider');
    if (size < (small ? chart : body)) found.push(`${text.slice(0, 40)}: ${size.toFixed(1)} px`);
    if (box.right > innerWidth || box.left < 0) found.push(`${text.slice(0, 40)}: off the screen`);
    for (let around = of; around !== main; around = around.parentElement) {
      if (getComputedStyle(around).overflow === 'visible') continue;
      const room = around.getBoundingClientRect();
      if (box.right > room.right + 2 || box.bottom > room.bottom + 2 || box.left < room.left - 2)
        found.push(`${text.slice(0, 40)}: cut off`);
    }
  }
  return found;
}"""


def fits(page: Page) -> None:
    """On every projector it comes to rest, and all of it is in sight."""
    ready(page)
    page.evaluate("() => document.fonts.ready")
    for size in SIZES:
        page.set_viewport_size(size)
        fits_this_one(page)


def fits_this_one(page: Page) -> None:
    of = page.evaluate("innerWidth / 1920")
    sizes = [BODY * of, CHART * of]
    try:
        page.wait_for_function(f"sizes => !({MISFITS})(sizes).length", arg=sizes, polling=100)
    except (
        TimeoutError
    ):  # say what; that it did rest once is enough, as others' answers redraw it at any time
        assert page.evaluate(MISFITS, sizes) == [], page.locator("h1").inner_text()
        raise


def goes_through(
    page: Page, classes: ClassManager, token: str, place: int, stop: CourseStop
) -> None:
    """One stop, and whatever a teacher makes of it."""
    code = classes.find_taught_class_marking_presence(token)
    assert code is not None
    classes.move_to_stop(token, place)
    expect(page.locator("h1")).to_have_text(stop.title)
    number = f"step {stop.step + 1} of {len(stop.lesson_content.steps)}"
    expect(page.get_by_text(number)).to_be_attached()
    fits(page)
    for part in count(2):
        on = page.get_by_role("button", name=f"Read on: {part} of")
        if not on.count():
            break
        on.click()
        expect(on).to_have_count(0)
        fits(page)
    at_work = page.get_by_text("See it at work")
    if at_work.count():
        at_work.click()
        expect(page.locator(".dp-work")).to_be_visible()
        fits(page)
    with_seats(page, classes, token, code, place, stop)


def with_seats(
    page: Page, classes: ClassManager, token: str, code: str, place: int, stop: CourseStop
) -> None:
    """What all answer, and draw."""
    seats = [seat for seat in (classes.join(code) for _ in range(PEOPLE)) if seat is not None]
    if stop.question is not None:
        for number, seat in enumerate(seats):
            classes.submit_answer(seat, place, number % len(stop.question.choices))
        if stop.twice:
            classes.set_question_flags(token, place, again=True, bars=False)
            for seat in seats:
                classes.submit_answer(seat, place, 0, True)
        classes.set_question_flags(token, place, bars=True)
        expect(page.locator(".dp-answers")).to_be_visible()
        fits(page)
        classes.set_question_flags(token, place, shown=True)
        expect(page.locator(".dp-answers .dp-right")).to_be_visible()
        fits(page)
    if stop.experiment is not None:
        state = classes.read_state(code)
        assert state is not None
        for number, seat in enumerate(seats):
            if stop.experiment.guess is not None:
                classes.submit_guess(seat, place, 10 * number)
            classes.draw_student_release_counts(seat, place, state.setting, 10)
        classes.show_exact_chances(token, place, True)
        expect(page.get_by_role("button", name="Hide the exact chances")).to_be_visible()
        expect(page.get_by_text(f"{10 * PEOPLE} releases, drawn by")).to_be_attached()
        fits(page)
    classes.free_newest_or_absent_seats(token, newest=PEOPLE)


def projected(new_page: NewPage, server: str, store: Path, key: str, places: slice) -> None:
    classes = ClassManager(store, age=0.0)
    _, token = classes.begin_class(key)
    stops = list(enumerate(build_course((key,))))[places]
    classes.move_to_stop(token, stops[0][0])
    page = new_page(server)
    page.set_viewport_size(SIZES[0])
    page.emulate_media(reduced_motion="reduce")
    page.context.add_cookies([{"name": "dpviz_teacher", "value": token, "url": server}])
    open_page(page, "/classroom?view=presenter")
    page.locator(".st-key-class_strip, .st-key-learn_next").first.wait_for()
    if page.locator(".st-key-class_strip").count() == 0:
        page.get_by_role("button", name="Begin the lesson").click()
    page.locator(".st-key-class_strip").wait_for()
    for place, stop in stops:
        goes_through(page, classes, token, place, stop)
    classes.end_class(token)
    classes.close()


def test_the_longest_explanation_and_its_votes_fit_a_projector(
    new_page: NewPage, server: str, store: Path
) -> None:
    projected(new_page, server, store, "opening_story", slice(4, 6))


def test_a_chart_fits_a_window_that_is_moved_to_another_projector(
    new_page: NewPage, server: str, store: Path
) -> None:
    projected(new_page, server, store, "permute_and_flip", slice(2, 3))


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize("key", LESSONS)
def test_every_step_fits_a_projector(new_page: NewPage, server: str, store: Path, key: str) -> None:
    projected(new_page, server, store, key, slice(None))
