"""Every lesson: its laws are laws, its draws follow them and stay, its prose and answers are made."""

import json
import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2

from dpviz.base.arrays import Floats, Ints
from dpviz.base.errors import ParameterError
from dpviz.teaching.lesson import RELEASES, Experiment, MultipleChoice
from dpviz.teaching.lessons import LESSONS
from tests.menus import Contract

PINNED = json.loads((Path(__file__).parent / "pinned_draws.json").read_text(encoding="utf-8"))
MANY = 20_000
UNLUCKY = 1e-6  # how seldom a right sampler is called wrong, once for all as the seed is fixed


def experiments(key: str) -> dict[str, Experiment]:
    """Those of a lesson, by its key and the number of their step."""
    steps = enumerate(LESSONS[key].steps, 1)
    return {f"{key} {number}": step.experiment for number, step in steps if step.experiment}


def questions(key: str) -> dict[int, MultipleChoice]:
    """Those of a lesson, by the number of their step."""
    steps = enumerate(LESSONS[key].steps, 1)
    return {number: step.question for number, step in steps if step.question}


def misfit(counts: Ints, law: Floats) -> float:
    """How likely such a sampler is as far off; outcomes due fewer than five times go together."""
    expected = law * counts.sum()
    assert counts[law < 1e-12].sum() == 0  # what cannot come did not
    few = expected < 5
    seen = np.append(counts[~few], counts[few].sum())
    due = np.append(expected[~few], max(expected[few].sum(), 1e-12))
    if due[-1] < 5:  # too few even together: they join the likeliest
        likeliest = int(np.argmax(due))
        seen[likeliest] += seen[-1]
        due[likeliest] += due[-1]
        seen, due = seen[:-1], due[:-1]
    if len(due) == 1:
        return 1.0
    return float(chi2.sf(((seen - due) ** 2 / due).sum(), len(due) - 1))


@pytest.mark.parametrize("key", LESSONS)
def test_laws_are_laws(key: str) -> None:
    for experiment in experiments(key).values():
        if experiment.control is not None:
            assert experiment.start in experiment.settings()
            assert len(experiment.control.names) in {0, len(experiment.settings())}
        for setting, law_at in product(experiment.settings(), experiment.laws.values()):
            law = law_at(setting)
            assert law.shape == (len(experiment.outcomes),)
            assert law.min() >= 0
            assert law.sum() == pytest.approx(1.0, abs=1e-9)


@pytest.mark.twins(7)
@pytest.mark.parametrize("key", LESSONS)
def test_draws_follow_the_law(key: str) -> None:
    for experiment in experiments(key).values():
        for setting in experiment.settings():
            drawn = experiment.draw(setting, np.random.default_rng(20261122), MANY)
            assert drawn.shape == (MANY,)
            counts = np.bincount(drawn, minlength=len(experiment.outcomes))
            assert misfit(counts, experiment.law(setting)) > UNLUCKY, setting


@pytest.mark.parametrize("key", LESSONS)
def test_the_releases_of_a_seed_stay_what_they_were(key: str) -> None:
    """A printed handout shows them: a changed sampler gives a lesson another key, or says so."""
    for name, experiment in experiments(key).items():
        draw, seed = experiment.draw_outcome_counts, LESSONS[key].seed
        found = {f"{s:g}": draw(s, seed).tolist() for s in experiment.settings()}
        assert found == PINNED.get(name), f"pinned_draws.json has to keep what {name} draws"


@pytest.mark.parametrize("key", LESSONS)
def test_fewer_releases_are_the_first_of_more(key: str) -> None:
    for experiment in experiments(key).values():
        before = np.zeros(len(experiment.outcomes))
        for size in (0, 1, 10, 100, RELEASES):
            counts = experiment.draw_outcome_counts(experiment.start, 3, size)
            assert counts.sum() == size
            assert (counts >= before).all()
            before = counts
        with pytest.raises(ParameterError):
            experiment.draw_outcome_counts(experiment.start, 3, RELEASES + 1)


@pytest.mark.parametrize("key", LESSONS)
def test_every_question_has_one_answer_and_every_choice_a_reason_of_its_own(key: str) -> None:
    for question in questions(key).values():
        assert 0 <= question.answer < len(question.choices)
        assert len(set(question.choices)) == len(question.choices) > 1
        assert question.because.endswith(".")
        assert all(len(why.split()) > 5 for why in question.mistakes if why)
        assert len(set(question.mistakes)) == len(question.mistakes) == len(question.choices)


def computed(text: str) -> set[str]:
    """Computed figures of a text, without those that only say nearly all or hardly any."""
    return set(re.findall(r"\d+\.\d+", re.sub(r"(over 99\.9|under 0\.1)", "", text)))


@pytest.mark.parametrize("key", LESSONS)
def test_no_table_shown_before_a_vote_has_the_figures_of_its_answer(key: str) -> None:
    for number, question in questions(key).items():
        before = "\n".join(step.text for step in LESSONS[key].steps[:number])
        tables = "\n".join(line for line in before.splitlines() if line.startswith("|"))
        answer = computed(question.because) - computed(" ".join((question.text, *question.choices)))
        assert len(answer & computed(tables)) <= len(answer) / 2, answer & computed(tables)


class TestLessons(Contract):
    """What holds for every lesson."""

    menu = LESSONS
    names = frozenset(LESSONS)

    @pytest.mark.parametrize("key", LESSONS)
    def test_a_lesson_is_whole(self, key: str) -> None:
        lesson = LESSONS[key]
        assert 3 <= lesson.minutes <= 10
        assert lesson.able
        assert lesson.proved.endswith(".")
        kinds = [step.kind for step in lesson.steps]
        explained = len(kinds) - 1 - kinds[::-1].index("explain")
        assert kinds.index("predict") < kinds.index("run") < explained
        folded = [step for step in lesson.steps if step.question and step.kind != "predict"]
        assert folded
        for step in lesson.steps:
            assert step.text.strip()
            if step.experiment is not None:
                for setting in step.experiment.settings():
                    assert step.experiment.says(setting).endswith(".")
            if step.way is not None:
                page, query = step.way.page_and_query()
                assert (Path(__file__).parents[2] / "pages" / f"{page}.py").exists()
                assert query == step.way.scenario.to_query()


def test_the_prediction_of_a_step_is_the_one_that_is_not_answered_yet() -> None:
    lesson = LESSONS["permute_and_flip"]
    assert [lesson.prediction_step_number(n) for n in range(4)] == [None, 1, 1, 1]
    story = LESSONS["opening_story"]  # predict, tell, run, explain, run: answered where it tells
    assert [story.prediction_step_number(n) for n in range(6)] == [None, 1, 1, None, None, None]


def test_no_chance_beside_a_bar_breaks_into_two_lines() -> None:
    steps = [step for lesson in LESSONS.values() for step in lesson.steps if step.at_work]
    played = [step.at_work.play(np.random.default_rng(0)) for step in steps if step.at_work]
    shown = {row.shown for each in played for move in each.moves for row in move.rows}
    chances = {text for text in shown if text.endswith("100")}
    assert "100\u00a0of\u00a0100" in chances
    assert not any(" " in text for text in chances)


@pytest.mark.parametrize("key", LESSONS)
def test_a_lesson_has_tests_of_its_own_that_work_its_figures_out_another_way(key: str) -> None:
    """In `test_answers`, or in a file that imports it; its words are held by `test_texts`."""
    lessons = r"from dpviz\.teaching\.lessons"
    named = re.compile(rf"{lessons}(\.{key} import| import (\([^)]*|.*)\b{key}\b)")
    others = {"test_lessons.py", "test_texts.py"}
    tests = [file for file in Path(__file__).parent.glob("test_*.py") if file.name not in others]
    tested = any(named.search(file.read_text(encoding="utf-8")) for file in tests)
    assert tested, f"no file of tests/teaching imports {key} to work its figures out"
