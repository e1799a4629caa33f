"""Where each of the two exponential mechanisms wins, as a sentence."""

from dpviz.base import Scores
from dpviz.charts import number_text
from dpviz.margin.uneven_sensitivities import UnevenCurves


def uneven_sentence(curves: UnevenCurves, scores: Scores) -> str:
    """Sentence on where the generalised exponential mechanism is better, for these scores."""
    now = "All items have the same sensitivity here."
    if scores.sensitivities is not None:
        now = "Items have different sensitivities here."
    if (at := curves.turning_point) is None:
        return f"{now} The exponential mechanism is better, however sensitive one more item is."
    if at == curves.factors[0]:
        return f"{now} The generalised exponential mechanism is better already."
    return (
        f"{now} The exponential mechanism is better. The generalised one would be, if the"
        f" last item were about {number_text(at)} times as sensitive as the others."
    )
