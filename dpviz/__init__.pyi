"""The public names of dpviz, each said once: type checkers read them here, and so does the package
itself.
"""

from dpviz.base.errors import Cancelled as Cancelled
from dpviz.base.errors import ParameterError as ParameterError
from dpviz.base.live_figure import LiveFigure as LiveFigure
from dpviz.base.noise import NOISES as NOISES
from dpviz.base.plotting import plot as plot
from dpviz.base.scores import Scores as Scores
from dpviz.candidates import CANDIDATES as CANDIDATES
from dpviz.candidates import CandidatePool as CandidatePool
from dpviz.candidates import KnownThreshold as KnownThreshold
from dpviz.candidates import NegativeBinomialRepeats as NegativeBinomialRepeats
from dpviz.candidates import PercentileSparseVector as PercentileSparseVector
from dpviz.candidates import PoissonRepeats as PoissonRepeats
from dpviz.candidates import RandomStopping as RandomStopping
from dpviz.candidates import SelectionLaw as SelectionLaw
from dpviz.candidates import ThresholdSearch as ThresholdSearch
from dpviz.candidates import naive_best as naive_best
from dpviz.candidates import naive_epsilon as naive_epsilon
from dpviz.candidates.percentile_sparse_vector import StopLaw as StopLaw
from dpviz.data.counting.counts import Counts as Counts
from dpviz.data.counting.engine import count_in_engine as count_in_engine
from dpviz.data.counting.event_log import count as count
from dpviz.data.counting.files import count_files as count_files
from dpviz.data.reading.files import read_table as read_table
from dpviz.data.score_sources import scores_from as scores_from
from dpviz.gaps.gap_estimates import blue as blue
from dpviz.gaps.gap_estimates import fuse as fuse
from dpviz.gaps.gap_law import GapLaw as GapLaw
from dpviz.gaps.noisy_top_k import GAPS as GAPS
from dpviz.gaps.noisy_top_k import NoisyTopKWithGap as NoisyTopKWithGap
from dpviz.gaps.sparse.mechanism import THRESHOLD as THRESHOLD
from dpviz.gaps.sparse.run_law import ThresholdDistribution as ThresholdDistribution
from dpviz.gaps.sparse.sparse_vector import AdaptiveSparseVector as AdaptiveSparseVector
from dpviz.gaps.sparse.sparse_vector import SparseVector as SparseVector
from dpviz.margin.baselines import DistanceToInstability as DistanceToInstability
from dpviz.margin.generalised_exponential import (
    GeneralisedExponential as GeneralisedExponential,
)
from dpviz.margin.large_margin import LargeMargin as LargeMargin
from dpviz.margin.top_one import TOP_ONE as TOP_ONE
from dpviz.margin.top_one import TopOneLaw as TopOneLaw
from dpviz.privacy.bench.agreement import Agreement as Agreement
from dpviz.privacy.bench.agreement import agrees as agrees
from dpviz.privacy.bench.audit import Audit as Audit
from dpviz.privacy.bench.audit import audit as audit
from dpviz.privacy.composition import compose as compose
from dpviz.privacy.composition import delta_of_one as delta_of_one
from dpviz.privacy.composition_result import Composition as Composition
from dpviz.privacy.composition_result import Total as Total
from dpviz.privacy.loss import PrivacyLoss as PrivacyLoss
from dpviz.privacy.loss_computation import InclusionChances as InclusionChances
from dpviz.privacy.loss_computation import inclusion_with_and_without as inclusion_with_and_without
from dpviz.privacy.loss_computation import privacy_loss as privacy_loss
from dpviz.privacy.odds import guess_bound as guess_bound
from dpviz.privacy.odds import posterior_bound as posterior_bound
from dpviz.privacy.worst_case_search import worst_neighbour as worst_neighbour
from dpviz.studies.comparison import Comparison as Comparison
from dpviz.studies.comparison import compare as compare
from dpviz.studies.decision.decision import Decision as Decision
from dpviz.studies.decision.epsilon_by_mechanism import table_of_epsilon as table_of_epsilon
from dpviz.studies.decision.question import Question as Question
from dpviz.studies.decision.question_answer import decide as decide
from dpviz.studies.design import Design as Design
from dpviz.studies.scenario import Scenario as Scenario
from dpviz.studies.sweep import Sweep as Sweep
from dpviz.studies.sweep_runner import run_sweep as run_sweep
from dpviz.topk.canonical import Canonical as Canonical
from dpviz.topk.distribution import TopKDistribution as TopKDistribution
from dpviz.topk.epsilon_search import smallest_epsilon as smallest_epsilon
from dpviz.topk.expected_figure import Expected as Expected
from dpviz.topk.expected_figure import expected as expected
from dpviz.topk.figure_curve import FigureCurve as FigureCurve
from dpviz.topk.figure_curve import FigureCurves as FigureCurves
from dpviz.topk.figure_curve import figures_by_epsilon as figures_by_epsilon
from dpviz.topk.gaussian_counts import GaussianCounts as GaussianCounts
from dpviz.topk.joint.joint_exponential import JointExponential as JointExponential
from dpviz.topk.limited_domain import LimitedDomain as LimitedDomain
from dpviz.topk.mechanism import TOP_K as TOP_K
from dpviz.topk.mechanism import TopKMechanism as TopKMechanism
from dpviz.topk.mechanism import estimate as estimate
from dpviz.topk.one_shot import OneShot as OneShot
from dpviz.topk.peeling import Peeling as Peeling
from dpviz.topk.threshold_counts import ThresholdCounts as ThresholdCounts
from dpviz.topk.user_sampler import FromSampler as FromSampler
from dpviz.topk.user_sampler import from_opendp as from_opendp

__version__: str
