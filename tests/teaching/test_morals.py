"""What a lesson's prose says of its figures is so: a sentence turned round fails a test.

`MORALS` holds sentences to figures; `morals.json` has all that compare or count. A new one is read,
held here if it tells a figure, and kept by `python -m tests.teaching.morals`.
"""

import json
import math
import re
from collections.abc import Callable
from itertools import pairwise, product

import pytest

from dpviz import Canonical, OneShot
from dpviz.privacy.odds import guess_bound
from dpviz.teaching.lesson import LESSONS
from dpviz.teaching.lessons import a_bound_that_does_not_hold as bound
from dpviz.teaching.lessons import a_name_of_one as name
from dpviz.teaching.lessons import anonymous_and_private as anonymous
from dpviz.teaching.lessons import best_of_many_runs as runs
from dpviz.teaching.lessons import counts_and_the_factor_two as counts
from dpviz.teaching.lessons import gaps_and_their_bias as gaps
from dpviz.teaching.lessons import large_margin as margin
from dpviz.teaching.lessons import noisy_counts as noisy
from dpviz.teaching.lessons import opening_story as story
from dpviz.teaching.lessons import order_of_queries as order
from dpviz.teaching.lessons import permute_and_flip as flip
from dpviz.teaching.lessons import ten_releases_later as later
from dpviz.teaching.lessons import ties
from dpviz.teaching.lessons import what_is_learnt_without_you as learnt
from dpviz.teaching.lessons import what_k_costs as k_costs
from dpviz.teaching.lessons import worth_of_a_list as worth
from tests.teaching.morals import KEPT, sentences, texts

Holds = Callable[[], bool]


def falls(values: list[float]) -> bool:
    return all(a > b for a, b in pairwise(values))


def _canonical(c: float, epsilon: float = noisy.EPSILON) -> float:
    return noisy.all_correct_probability(noisy.CANONICAL, c, epsilon)


def _words_above_the_nameless_come_out() -> bool:
    above = worth.words_above_nameless(worth.START)
    inclusion = worth.distribution_without_list(worth.START).inclusion
    return bool(min(inclusion[:above]) > 0.5 > max(inclusion[above:]))


def _ahead(c: float, epsilon: float = noisy.EPSILON) -> float:
    """By how much noisy counts are right more often than canonical."""
    return noisy.all_correct_probability(noisy.NOISY, c, epsilon) - _canonical(c, epsilon)


MORALS: dict[str, dict[str, Holds]] = {
    "opening_story": {
        "a small ε protects and is often wrong, a large ε is right and protects little": lambda: (
            falls([-story.correct_card_probability(e) for e in story.EPSILONS])
            and falls([-story.largest_likelihood_ratio(e) for e in story.EPSILONS])
        ),
        "the larger of the two is never more times the smaller than ε promises": lambda: all(
            story.largest_likelihood_ratio(e) <= math.exp(e) + 1e-12 for e in story.EPSILONS
        ),
        "The card can only have changed because the new reader": lambda: (
            [a - b for a, b in zip(story.WITH, story.WITHOUT, strict=True)]
            == [int(n == story.ANAS) for n in range(len(story.WITH))]
        ),
    },
    "permute_and_flip": {
        "of the misses are gone, at no price in privacy.": lambda: all(
            flip.zoo_miss_probability(flip.FLIPPED, e)
            < flip.zoo_miss_probability(flip.EXPONENTIAL, e)
            for e in flip.EPSILONS
        ),
        "where all places tie, or ε is so large that neither misses": lambda: (
            flip.tied_win_probability(flip.FLIPPED)
            == pytest.approx(flip.tied_win_probability(flip.EXPONENTIAL))
            and flip.zoo_miss_probability(flip.EXPONENTIAL, 50.0) < 1e-12
        ),
        "a place with one more vote gets e^ε times as many": lambda: math.isclose(
            flip.LOTS.law(0.5)[2] / flip.LOTS.law(0.5)[3], math.exp(0.5)
        ),
    },
    "what_k_costs": {
        "Here peeling and one-shot lose as the list grows": lambda: all(
            falls([k_costs.all_correct_probability(name, k) for k in k_costs.LENGTHS])
            for name in ("peeling", "one_shot")
        ),
        "With Gumbel noise the two are even the same; exponential noise gains a little here.": (
            lambda: (
                math.isclose(
                    OneShot(epsilon=1.0, k=10).distribution(k_costs.CALLS).hits[-1],
                    k_costs.all_correct_probability("peeling", 10),
                )
                and 0
                < k_costs.all_correct_probability("one_shot", 10)
                - k_costs.all_correct_probability("peeling", 10)
                < 0.15
            )
        ),
        "On this help line that follows the distance at the cut-off": lambda: (
            sorted(k_costs.LENGTHS, key=k_costs.cutoff_gap)
            == sorted(
                k_costs.LENGTHS, key=lambda k: k_costs.all_correct_probability("canonical", k)
            )
            != sorted(k_costs.LENGTHS, reverse=True)
        ),
        "Elsewhere it follows how many rivals there are.": lambda: (
            falls([k_costs.clear_margin_probability("canonical", k) for k in (1, 2, 5)])
            and len({k_costs.cutoff_gap(k) for k in k_costs.LENGTHS}) > 1
        ),
    },
    "noisy_counts": {
        "The noise of noisy counts grows with c, so their chance falls.": lambda: falls(
            [noisy.all_correct_probability(noisy.NOISY, c) for c in noisy.MOST]
        ),
        "Canonical falls once, from c = 1 to 2": lambda: (
            _canonical(1) > _canonical(2) and len({_canonical(c) for c in noisy.MOST[1:]}) == 1
        ),
        "Here, with more ε, the two come close": lambda: (
            abs(_ahead(1, noisy.LARGER)) < abs(_ahead(1))
        ),
        "noisy counts win up to c = 3": lambda: (
            [c for c in noisy.MOST if _ahead(c) > 0] == [1, 2, 3]
        ),
        "One caller moves one count, whether 10 names come out or one": lambda: (
            noisy.count_noise_scale(10, 1) == noisy.count_noise_scale(1, 1)
            and math.isclose(noisy.count_noise_scale(10, 10), 10 * noisy.count_noise_scale(1, 1))
        ),
        "each needs c times the noise as long as c names come out": lambda: all(
            math.isclose(
                noisy.count_noise_scale(noisy.K, c), c * noisy.count_noise_scale(noisy.K, 1)
            )
            for c in noisy.MOST
        ),
        "so it pays half for c = 1; from c = 2 on it pays the same for every c": lambda: (
            math.isclose(
                _canonical(1),
                Canonical(epsilon=2 * noisy.EPSILON, k=noisy.K)
                .distribution(noisy.help_line_scores(2))
                .hits[-1],
            )
        ),
    },
    "a_name_of_one": {
        "so no release can show it; with her some do": lambda: all(
            name.rare_word_probability(way, e, 0) == 0 < name.rare_word_probability(way, e)
            for way in (name.ONE_SHOT, name.NOISY, name.CANONICAL)
            for e in name.EPSILONS
        ),
        "A smaller ε makes it worse: more noise lifts a rare word more often.": lambda: falls(
            [name.rare_word_probability(name.ONE_SHOT, e) for e in name.EPSILONS]
        ),
        "Another mechanism does not mend it while the names come from the log.": lambda: all(
            name.exposure_probability(way) > 1000 * name.DELTA
            for way in (name.NOISY, name.CANONICAL)
        ),
        "with a chance of at most δ, here one release in 1,000,000, whatever the others typed": (
            lambda: all(
                name.exposure_probability(way, e) <= name.DELTA * (1 + 1e-6)
                for way in (name.THRESHOLD, name.LIMITED)
                for e in name.EPSILONS
            )
        ),
        "above a number that follows from ε and δ, never from the log": lambda: (
            len(
                {
                    name.lesson_mechanism(name.THRESHOLD).threshold(name.typed_word_scores(n))
                    for n in (0, 1, 50)
                }
            )
            == 1
        ),
        "That stands higher": lambda: name.noisy_count_threshold() < name.NAMELESS,
        "The price is paid by rare words.": lambda: (
            falls([-name.threshold_pass_probability(n, "laplace") for n in name.TYPED])
            and name.threshold_pass_probability(10, "laplace") < 0.01
        ),
        "no mechanism with this ε and δ keeps a word more often": lambda: all(
            name.threshold_pass_probability(n, noise) <= name.largest_pass_probability(n) + 1e-9
            for n in name.TYPED
            for noise in ("laplace", "gaussian")
        ),
        "this small log has next to nothing to publish: above the threshold the list stays empty in": lambda: (
            name.empty_list_probability() > 0.99
            and all(name.largest_pass_probability(n) < 0.01 for n in name.WORDS.values())
        ),
        "What can come out is what enough people typed.": lambda: (
            name.threshold_pass_probability(30, "gaussian") > 0.9
        ),
        "Then she may be number 5": lambda: (
            name.rare_word_probability(name.ONE_SHOT, name.START, 4, 5)
            == 0
            < name.rare_word_probability(name.ONE_SHOT, name.START, 5, 5)
        ),
    },
    "worth_of_a_list": {
        "times as much without a list, and more the smaller δ is": lambda: falls(
            [
                worth.least_epsilon_without_list(1e-9),
                worth.least_epsilon_without_list(1e-6),
                worth.epsilon_with_list(),
            ]
        ),
        "What comes out is nearly always right.": lambda: all(
            worth.distribution_without_list(e).expected_hits
            > 0.99 * worth.distribution_without_list(e).expected_length
            for e in worth.EPSILONS
        ),
        "words were typed by more; those mostly come out, and the next ones mostly do not": (
            _words_above_the_nameless_come_out
        ),
        "What is lost is the length of the list, not who is on it.": lambda: (
            worth.mean_missing_names(worth.START) > 100 * worth.mean_wrong_names(worth.START)
        ),
        "With more ε the nameless word comes down": lambda: falls(
            [worth.nameless_word_count(e) for e in worth.EPSILONS]
        ),
        "from some ε on a list is worth hardly anything": lambda: (
            worth.distribution_with_list(3.0).top - worth.distribution_without_list(3.0).top
            < 0.01
            < worth.distribution_with_list(2.0).top - worth.distribution_without_list(2.0).top
        ),
        "less than four times as much": lambda: worth.EPSILONS[-1] < 4 * worth.epsilon_with_list(),
        "Wrong names hardly come either way": lambda: (
            worth.mean_wrong_names(worth.START) + worth.mean_wrong_names(worth.START, 1e-9) < 0.01
        ),
    },
    "ties": {
        "so all 20 lists come equally often": lambda: (
            round(1 / ties.top_probability(5.0)) == ties.EQUIVALENT == 20
            and ties.optimal_event_probability(5.0) > 0.99
        ),
        "TOP can never pass one in 20": lambda: all(
            ties.top_probability(e) <= 1 / 20 for e in (*ties.EPSILONS, 50.0)
        ),
        "whoever sets a goal for TOP there will be told that no ε reaches it": lambda: (
            ties.top_probability(50.0) < 0.051
        ),
        "No ε is large enough": lambda: ties.top_probability(50.0) < 0.051,
    },
    "counts_and_the_factor_two": {
        "That is a factor of 2.00, and it holds for every place": lambda: math.isclose(
            counts.zoo_goal_epsilon(counts.EITHER_WAY),
            2 * counts.zoo_goal_epsilon(counts.COUNTS),
            rel_tol=1e-6,
        ),
        "Counts get by with half the noise.": lambda: all(
            math.isclose(a, b)
            for e in (0.5, 1.0)
            for a, b in zip(
                counts.TRIPS[counts.COUNTS].law(e),
                counts.TRIPS[counts.EITHER_WAY].law(2 * e),
                strict=True,
            )
        ),
        "no difference moves by more than 1. With one replaced": lambda: (
            max(abs(a - b) for a, b in product((0, 1), repeat=2))
            == 1  # she votes for each place or does not
            and max(abs((a - b) - (c - d)) for a, b, c, d in product((0, 1), repeat=4)) == 2
        ),
        "there the noise must not be halved": lambda: counts.loss_of_a_wrong_claim() > 1.0,
    },
    "order_of_queries": {
        "one of them takes the only yes away": lambda: order.law(order.BOOKS)[2] > order.law(1)[2],
        "Each no before its turn costs nothing, but a yes that is said by mistake ends the run.": (
            lambda: order.law(1)[2] < 1e-9 < order.law(order.BOOKS)[2]
        ),
        "So ask first what matters most": lambda: order.law(1)[0] > order.law(order.BOOKS)[0],
    },
    "gaps_and_their_bias": {
        "what selection does to a gap, and what the number of rivals has to do with it": lambda: (
            falls([-gaps.mean_lead_shortfall(rivals) for rivals in gaps.RIVALS])
        ),
        "So the favourite's lead looks too small": lambda: all(
            gaps.mean_lead_shortfall(r) > 0 for r in gaps.RIVALS[1:]
        ),
        "With two rivals the formula is right": lambda: (
            abs(gaps.true_ratio(2) - gaps.promised_variance_ratio())
            < abs(gaps.true_ratio(gaps.MANY) - gaps.promised_variance_ratio())
        ),
        "with very many the free gap does harm": lambda: (
            gaps.true_ratio(max(gaps.RIVALS)) > 1 > gaps.true_ratio(2)
        ),
    },
    "best_of_many_runs": {
        "Publishing one run does not undo that the others were looked at": lambda: math.isclose(
            runs.naive_loss(4), 4 * runs.naive_loss(1), rel_tol=1e-6
        ),
        "the best of K runs costs K·ε": lambda: all(
            math.isclose(runs.naive_loss(t), t * runs.EPSILON1, rel_tol=1e-6) for t in runs.TRIES
        ),
        "however many settings there are": lambda: all(
            runs.rule_loss(0, t) <= runs.RULES[0].total_epsilon(runs.EPSILON1)[0]
            for t in runs.TRIES
        ),
    },
    "a_bound_that_does_not_hold": {
        "To miss less often is not to be cheaper: its steps reach over": lambda: (
            bound.single_release_loss(bound.FLIPPED).largest <= bound.EPSILON + 1e-9
            and bound.loss_range(bound.FLIPPED) > bound.EPSILON >= bound.loss_range("gumbel") - 1e-9
        ),
        "times as large, and more than that ε is told even more often": lambda: (
            bound.excess_loss_probability()
            > bound.true_delta()
            > bound.DELTA
            > bound.true_delta("gumbel")
        ),
        "The price of any release gives": lambda: bound.right_epsilon() > bound.claimed_epsilon(),
        "Permute-and-flip takes its longest step for B and a long one back for A": lambda: (
            math.isclose(
                bound.single_release_loss(bound.FLIPPED).values[-1], bound.EPSILON, rel_tol=1e-9
            )
            and -bound.single_release_loss(bound.FLIPPED).values[0]
            > -bound.single_release_loss("gumbel").values[0]
        ),
        "clear in under 0.1": lambda: (
            falls([-bound.clear_record_probability(bound.FLIPPED, n) for n in bound.MANY[2:]])
            and all(
                bound.clear_record_probability("gumbel", n)
                < bound.clear_record_probability(bound.FLIPPED, n)
                for n in bound.MANY[2:]
            )
        ),
    },
    "what_is_learnt_without_you": {
        "with it and without it he is about as sure": lambda: all(
            abs(
                learnt.posterior_belief(e, with_her=True)
                - learnt.posterior_belief(e, with_her=False)
            )
            < 0.01
            for e in learnt.EPSILONS
        ),
        "g of them change a chance up to e^(g·ε) times": lambda: all(
            math.exp(learnt.PROMISED) < learnt.group_factor(g) <= math.exp(g * learnt.PROMISED)
            for g in (2, 5)
        ),
        "So before he reads anything he is 50 % sure": lambda: sum(learnt.SHARES) / 2 == 0.5,
        "it is then true of her too": lambda: math.isclose(
            learnt.posterior_belief(1.0, with_her=False), learnt.SHARES[0], rel_tol=1e-6
        ),
    },
    "anonymous_and_private": {
        "together a few such details are nearly a name": lambda: falls(
            [anonymous.unique_row_probability(n) for n in (4, 3, 2)]
        ),
        "one person only for 84.3": lambda: anonymous.unique_row_probability(anonymous.START) > 0.8,
        "What two tables leave is never more than what one of them leaves.": lambda: (
            len(anonymous.common_diagnoses()) == 1 < len(anonymous.FIRST) == len(anonymous.SECOND)
        ),
    },
    "ten_releases_later": {
        "luck that comes again and again averages out": lambda: falls(
            [-later.correct_guess_probability(w) for w in later.WEEKS]
        ),
        "Adding the ε up is always allowed, and is the most that can be.": lambda: all(
            later.correct_guess_probability(w) < guess_bound(w * later.EPSILON) for w in later.WEEKS
        ),
        "That makes a plan cheaper, or better.": lambda: (
            later.year_epsilon_totals()[1] < later.year_epsilon_totals()[0] / 2
            and later.composed_list_epsilon() > 2.5 * later.ADDED_EPSILON
            and later.trip_winner_probability(later.composed_list_epsilon())
            > later.trip_winner_probability(later.ADDED_EPSILON)
        ),
        "Each list alone keeps its ε; 10 together keep 5.": lambda: (
            later.LATER * later.EPSILON == 5.0
        ),
    },
    "large_margin": {
        "whatever lies behind the gap may be as many as it likes": lambda: math.isclose(
            margin.margin_winner_law(margin.LARGE, 1)[0],
            margin.margin_winner_law(margin.LARGE, 100)[0],
            rel_tol=1e-6,
        ),
        "Large margin pays for the front group only": lambda: (
            margin.margin_winner_law(margin.LARGE, 1000)[0]
            > 0.5
            > margin.margin_winner_law(margin.EXPONENTIAL, 1000)[0]
        ),
        "One text of score zero hardly ever wins against the favourite": lambda: (
            margin.margin_winner_law(margin.EXPONENTIAL, 1)[0] > 0.99
        ),
    },
}


@pytest.mark.parametrize("key", LESSONS)
def test_every_sentence_that_compares_is_one_that_was_read(key: str) -> None:
    kept = json.loads(KEPT.read_text(encoding="utf-8")).get(key, [])
    new = [sentence for sentence in sentences(LESSONS[key]) if sentence not in kept]
    assert not new, (
        f"read what {key} says against its figures, then: python -m tests.teaching.morals"
    )


_AGAINST = re.compile(
    r"(?P<one>\d[\d.]*)(?:\u202f% of releases,| people are|,| is) (?P<how>more|fewer|less) than"
    r" (?:the |ε = )"
    r"(?P<other>\d[\d.]*)"
)


def test_of_two_figures_the_one_that_is_said_to_be_more_is() -> None:
    told = "\n".join(text for lesson in LESSONS.values() for text in texts(lesson))
    said = list(_AGAINST.finditer(told))
    for found in said:
        more = float(found["one"]) > float(found["other"])
        assert more is (found["how"] == "more"), found[0]
    assert {found["how"] for found in said} >= {"more", "fewer"}


@pytest.mark.parametrize("key", LESSONS)
def test_every_lesson_has_morals_that_are_held_to_figures(key: str) -> None:
    assert len(MORALS.get(key, {})) >= 3, f"MORALS holds fewer than three sentences of {key}"


@pytest.mark.parametrize(
    ("key", "sentence"), [(key, one) for key, held in MORALS.items() for one in held]
)
def test_a_moral_is_said_and_is_so(key: str, sentence: str) -> None:
    assert any(sentence in text for text in texts(LESSONS[key])), "it is not what the lesson says"
    assert MORALS[key][sentence]()
