"""dpviz: exact laws of private selection, the differentially private choice of the best items.

Scores and mechanisms are frozen descriptions. `mechanism.distribution(scores)` is the law of what
comes out, exact where that can be and otherwise estimated with its interval:

    >>> from dpviz import Canonical, Scores, smallest_epsilon
    >>> votes = Scores({"zoo": 9, "lake": 14, "castle": 12, "cave": 2}, monotonic=True)
    >>> mechanism = Canonical(epsilon=1.0, k=2)
    >>> law = mechanism.distribution(votes)
    >>> law.method, round(law.top, 3), law.inclusion.round(2).tolist()
    ('exact', 0.759, [0.23, 0.93, 0.82, 0.01])
    >>> round(smallest_epsilon(mechanism, votes, probability=0.99, figure="top"), 2)
    3.09
    >>> mechanism.sample(votes, size=3, rng=7).shape
    (3, 2)

What there is, and `help` of each says more:

    the data          Scores; read_table, scores_from; count, count_files, count_in_engine, Counts
    k items           TOP_K: Canonical, OneShot, Peeling, JointExponential, GaussianCounts;
                      TopKMechanism, TopKDistribution, estimate, smallest_epsilon, figures_by_epsilon,
                      table_of_epsilon
    of one's own      FromSampler, from_opendp; expected, Expected: a figure of merit of one's own
    items from data   LimitedDomain, ThresholdCounts
    what comes free   GAPS, THRESHOLD: NoisyTopKWithGap, SparseVector, AdaptiveSparseVector; blue, fuse
    one of very many  TOP_ONE: LargeMargin, DistanceToInstability, GeneralisedExponential
    private runs      CANDIDATES: RandomStopping, KnownThreshold, NegativeBinomialRepeats,
                      PoissonRepeats; CandidatePool, PercentileSparseVector,
                      ThresholdSearch, naive_best, naive_epsilon
    the privacy       privacy_loss, PrivacyLoss, worst_neighbour, inclusion_with_and_without,
                      posterior_bound, guess_bound, compose, Composition, Total, delta_of_one
    other results     GapLaw, ThresholdDistribution, TopOneLaw, SelectionLaw, StopLaw, FigureCurve,
                      FigureCurves, InclusionChances
    a test bench      audit, Audit, agrees, Agreement: whether an implementation does what it says
    many at once      compare, Comparison; Sweep, Design, run_sweep; Scenario, which the app saves;
                      Question, decide, Decision
    the rest          plot, which draws any result; LiveFigure, which has an ε slider, as
                      `law.live()` gives it; NOISES, ParameterError, Cancelled

Every result has `frame()` and shows itself in a notebook; many have `plot()`. Mechanisms answer to
the field's names: `Design(mechanism="permute-and-flip")`, `-m svt`.
An rng is a numpy Generator or the seed of one. Bad input raises ParameterError, one sentence.
Figures are computed from the raw scores and are not private. A public name is loaded when it is
first asked for.
"""

from dpviz.base.former_modules import redirect_moved_module_imports
from dpviz.base.lazy_loading import lazy_attributes
from dpviz.base.plotting import set_plotting_modules

__version__ = "1.0.0"

redirect_moved_module_imports()
set_plotting_modules("dpviz.charts.plots", "dpviz.export.live_figures")
__getattr__, __dir__, __all__ = lazy_attributes(__name__)
