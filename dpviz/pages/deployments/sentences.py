"""Deployments in plain words: what each promises, and where a plan lies among them."""

from collections.abc import Sequence

from dpviz.base.text_format import percent_upper_bound, stated_number_text
from dpviz.charts import isolate_direction, join_with_and, number_text, percent, upper_bound_text
from dpviz.data.deployments import Deployment, public_deployments
from dpviz.pages.decide.sentences.phrases import right_guesses_verb_phrase
from dpviz.privacy.odds import guess_bound
from dpviz.studies.decision import Cost
from dpviz.studies.deployments import (
    SIZE,
    DeploymentFigures,
    figures_sorted_by_guesses,
    nearest_deployments_below_and_above,
)

NOT_STATED = "not stated"
_DIFFERENT = 0.005  # from this relative difference on, two ε are told apart
CAUTION = (
    "Units and periods differ, so compare with care. That others accept a risk does not make it"
    " acceptable."
)


def parameters_text(deployment: Deployment) -> str:
    """ε, δ and ρ as stated.

    >>> parameters_text(Deployment(slug="a", name="A", epsilon=2.19, delta=1e-5))
    'ε = 2.19, δ = 1×10⁻⁵'
    >>> parameters_text(Deployment(slug="a", name="A"))
    'not stated'
    """
    stated = (
        ("ε", deployment.epsilon),
        ("δ", deployment.delta or deployment.delta_text),
        ("ρ", deployment.rho),
    )
    told = [
        f"{sign} = {value if isinstance(value, str) else stated_number_text(value)}"
        for sign, value in stated
        if value is not None
    ]
    return ", ".join(told) or NOT_STATED


def join_curators(deployment: Deployment) -> str:
    return join_with_and(deployment.curators) if deployment.curators else NOT_STATED


def unit_text(deployment: Deployment) -> str:
    return deployment.unit or NOT_STATED


def period_text(deployment: Deployment) -> str:
    """Time after which a unit counts anew."""
    return (
        deployment.period[0]
        if deployment.period
        else "no period"
        if deployment.unit
        else NOT_STATED
    )


def right_guess_bound_text(right_guess_bound: float | None) -> str:
    return "not known" if right_guess_bound is None else f"{percent_upper_bound(right_guess_bound)}"


def right_guess_bound_phrase(right_guess_bound: float) -> str:
    """Bound on right guesses as Decide says it."""
    return right_guesses_verb_phrase(Cost(None, right_guess_bound))


def promise_sentences(figures: DeploymentFigures) -> list[str]:
    """The promise of a deployment, for readers who know no ε."""
    of = figures.deployment
    if of.is_local:
        return _local_sentences(of)
    if figures.guess is None:
        return [f"{_missing(of)}, so it is not known how often an attacker is right."]
    told = [
        _protected_sentence(of),
        (
            f"An attacker who knows everything else {right_guess_bound_phrase(figures.guess)} about"
            f" one {unit_text(of) if of.unit else 'unit'}."
        ),
        "Pure guessing is right 50 times in 100.",
    ]
    if figures.year_guess is not None and of.period is not None:
        told.append(
            f"Each {of.period[0]} counts anew: after {of.period[1]:,} in a year, the attacker"
            f" {right_guess_bound_phrase(figures.year_guess)}."
        )
    return [*told, *_published_sentences(figures)]


def _protected_sentence(deployment: Deployment) -> str:
    if not deployment.unit:
        return "Whose data are protected is not stated."
    details = deployment.unit_details or "."
    return f"Protected is one {deployment.unit}{'' if details == '.' else ': '}{details[0].lower()}{details[1:]}"


def _missing(deployment: Deployment) -> str:
    if deployment.epsilon is None:
        return "ε, δ and ρ are not stated"
    return "δ is a formula that depends on the data" if deployment.delta_text else "δ is not stated"


def _local_sentences(deployment: Deployment) -> list[str]:
    told = [
        "Each device adds noise itself, before it sends a report.",
        "So the promise holds against the collector too, for one report.",
    ]
    if deployment.epsilon is not None and deployment.model == "Local":
        bound = guess_bound(deployment.epsilon, deployment.delta or 0.0)
        told.append(f"Anyone who reads one report {right_guess_bound_phrase(bound)} about it.")
    return [
        *told,
        "Totals of many reports reveal less of each; by how much is not computed here.",
        "How many reports one person sends in all decides about the rest.",
    ]


def _published_sentences(figures: DeploymentFigures) -> list[str]:
    """Noise, threshold and the chance to be published, where they are known."""
    of, chance = figures.deployment, figures.publication_chance
    if chance is None or of.threshold is None or figures.scale is None:
        return []
    return [
        f"Noisy counts below {number_text(of.threshold)} are left out.",
        f"A true count of {SIZE} is published in {percent(chance)} of cases.",
    ]


def expert_parameter_sentences(figures: DeploymentFigures) -> list[str]:
    """Stated parameters beside the exact ones, for experts."""
    of, exact = figures.deployment, figures.exact
    told = [f"Stated: {parameters_text(of)}.", *([of.details] if of.details else [])]
    if figures.scale is not None:
        spread = "standard deviation" if of.noise == "gaussian" else "scale"
        told.append(f"The {spread} of its noise is {number_text(figures.scale)}.")
    if exact is None:
        return told
    at = f" at δ = {number_text(exact.delta)}" if exact.delta else ""
    value = upper_bound_text(exact.epsilon, 3)
    if of.epsilon is None:
        told.append(f"No ε is stated. Its {of.noise} noise has ε = {value}{at}.")
    elif abs(exact.epsilon - of.epsilon) > _DIFFERENT * of.epsilon:
        less = "less" if exact.epsilon < of.epsilon else "more"
        told.append(
            f"Its {of.noise} noise has ε = {value}{at}, which is {less} than the stated"
            f" {stated_number_text(of.epsilon)}."
        )
    else:
        told.append("The exact ε of its noise is the stated one.")
    return told


def lead_sentence(deployments: Sequence[DeploymentFigures]) -> str:
    """The bound that half of the deployments keep to."""
    known = sorted(percent_upper_bound(one.guess) for one in deployments if one.guess is not None)
    if not known:
        return "None of these states enough to say how often an attacker is right."
    middle = known[len(known) // 2]
    many = sum(guess == 100 if middle == 100 else guess <= middle for guess in known)
    return (
        f"In {many} of the {len(known)} that can be computed, an attacker"
        f" {right_guess_bound_phrase(middle / 100)} about one unit."
    )


def yearly_cost_sentences(deployments: Sequence[DeploymentFigures]) -> list[str]:
    """The cost of a year where a unit comes back."""
    renewed = [one for one in deployments if one.year_guess is not None]
    if not renewed:
        return []
    periods = sorted({one.deployment.period[0] for one in renewed if one.deployment.period})
    sure = sum(percent_upper_bound(one.year_guess or 0.0) == 100 for one in renewed)
    return [
        f"In {len(renewed)} of them a unit counts anew every {' or '.join(periods)}.",
        f"After a year an attacker could be right every time in {sure} of these.",
    ]


def plan_among_deployments_sentence(right_guess_bound: float, unit: str) -> str:
    """Where a plan lies among public deployments of the same kind of unit, with a caution.

    >>> plan_among_deployments_sentence(0.57, "reader").startswith("Fewer right guesses: Wikipedia Editors")
    True
    """
    below, above = nearest_deployments_below_and_above(
        right_guess_bound, unit, figures_sorted_by_guesses(public_deployments())
    )
    parts = (("Fewer right guesses", below), ("As many or more", above))
    told = [
        f"{says}: {join_with_and([_named(one) for one in named])}."
        for says, named in parts
        if named
    ]
    none = f"No public deployment states a promise for one {isolate_direction(unit)}."
    return " ".join([*(told or [none]), CAUTION])


def _named(figures: DeploymentFigures) -> str:
    return f"{figures.deployment.name} ({right_guess_bound_text(figures.guess)}, {figures.deployment.unit})"
