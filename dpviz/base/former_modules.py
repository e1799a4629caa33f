"""Old module paths, which work for one release and warn, in stored pickles too."""

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

# A line a folder: what stood in it, and its name there now, or its whole path where it left.
_MOVED = """
dpviz: reports>export views>pages
base: apart>limited_process aside>file_values budgets>resource_budgets by_value>arrays
    cached>arrays caching>arrays described>mechanism handed>file_values in_pieces>chunked_text
    inert_csv>safe_csv laid>file_values lazy>lazy_loading own_code>user_code person>person_metadata
    place>app_paths plotted>plotting plugins>user_code read_only>arrays read_only_arrays>arrays
    rounding>text_format score_checks>mechanism score_digest>score_values
    sensitivities>person_metadata texts>packed_strings value_equality>arrays
candidates: best_of>best_of_runs laws>score_laws naive>naive_choice
    percentile>percentile_sparse_vector renyi>repeats worth>utility
charts: figure>chart fold>charts.grammar.axes integer_bins>charts.grammar.axes
    text_format>base.text_format words>base.text_format
charts.candidates: worth>cost_quality
charts.decision: drift_strip>goal_drift
charts.gaps: answers>answer_counts run_steps>threshold_run top_k>gap_release
charts.topk: curves>utility_curves heatmap_measures>class_heatmap measures>class_heatmap
data: door>data.reading.guessing ingest>reading openings>chat_phrases pairs>product_pairs
data.counting: chosen>row_filter embedded>embedded_duckdb expression>count_expression
    frames>event_log lakes>lake_tables places>locations
data.door: cells>data.reading.guessing.guessed_table columns>data.reading.guessing.columns
    headings>data.reading.headings offer>data.reading.guessing.offer
    reading>data.reading.guessing.guessed_table written>data.reading.encoding
data.ingest: delimited>data.reading.delimited_text
    events>data.counting.event_log files>data.reading.files incoming>data.reading.input_rules
    json_text>data.reading.json_text kept>data.reading.kept_items numbers>data.reading.numbers
    parquet>data.reading.parquet plain_text>data.reading.delimited_text table>data.reading.table
    wall>data.reading.limited_reading workbook>data.reading.workbook
data.reading: event_log>data.counting.event_log
gaps.sparse: branch_chain>answer_chain one_run>run_replay plan>run_plan
margin: compared>baselines lower_bounds>front_group lower_limits>front_group
    one_item>top_one
numerics: few_sets>set_probabilities gaussian_shift>noise_shifts laplace_shift>noise_shifts
    one_thread>blas_threads random_bits>topk.exact_sampler
    runs>numerics.cutoff.level_condensation searches>interval_search
    set_race>set_probabilities unlikely_winner>group_race
numerics.cutoff: condensed>window floored_race>topk.floored_law race>cutoff_race
privacy: meter>loss_computation prices>privacy_conversions
    pure>privacy_conversions pure_composition>privacy_conversions
    same_items>item_alignment top_k>top_k_loss worst>worst_case_search
privacy.bench: draws>implementation_draws events>output_events
reports: bench>export.audit_report decision>export.decision document>export.document
    lessons>export.lessons page>export.report_page release>export.release
    reproduction>export.reproduction start>export.start_file takeaway>export.takeaway
reports.decision: particulars>export.decision.sheet
    record>export.decision.record release_code>export.decision.release_code
    sheet>export.decision.sheet
reports.lessons: at_work>export.lessons.demonstration handout>export.lessons.handout
    picture>export.lessons.experiment_picture prose>export.lessons.prose
    slides>export.lessons.slides
reports.release: agreement>export.release.agreement counts>export.release.counts
    make>export.release.release_making plan>export.release.plan record>export.release.release_record
    refused>export.release.refusal sheet_file>export.release.sheet_file
    tools>export.release.release_tools
reports.reproduction: about>export.reproduction.methods
    claims>export.reproduction.claims gaps>export.reproduction.gaps
    kept>export.reproduction.unfinished_file noises>export.reproduction.topk
    shared>export.reproduction.report_jobs topk>export.reproduction.topk
    zipf>export.reproduction.zipf
reports.reproduction.claims: canonical>export.reproduction.claims.canonical
    claim>export.reproduction.claims.claim definitions>export.reproduction.claims.canonical
    free_gap>export.reproduction.claims.free_gap
    large_margin>export.reproduction.claims.large_margin
    private_approximate>export.reproduction.claims.candidates
    private_candidates>export.reproduction.claims.candidates
    private_search>export.reproduction.claims.candidates
    section_five>export.reproduction.claims.section_five
    sparse_vector>export.reproduction.claims.free_gap table>export.reproduction.claims.table
studies: about>provenance grid>sweep journal>sweep_journal law_study>mechanism_studies page_parameters>base.parameters
    pages>.pages
    processes>worker_processes reach>epsilon_range run>sweep_runner scores_in_json>scores_json
    sent>executors
studies.decision: answer>decide_study at_once>question_answer caps>suggestions
    data_sets>score_scaling helps>suggestions menu>design_menus misses>wrong_lists needs>plans
    particulars>publisher_details promises>decided_plan
studies.pages: candidates>pages.candidates compare>pages.compare.study decide>pages.decide.settings
    declared>base.parameters gaps>pages.gaps.study margin>pages.margin.study
    neighbours>pages.neighbours start>pages.start.view
studies.pages.candidates: choice>pages.candidates.study leaks>pages.candidates.study
    runs>pages.candidates.study search>pages.candidates.study
    settings>pages.candidates.settings
studies.pages.neighbours: settings>pages.neighbours.settings study>pages.neighbours.study
teaching: claims>lesson found_out>lesson own>session_file paths>session_plans
    sessions>session_plans
teaching.classes: as_data>vote_releases changes>class_store classes>class_manager
    consoles>teacher_access limits>class_store reading>class_reader results>class_state
    state>class_state store>class_store taught>teacher_actions tries>join_throttle
teaching.lessons: shared>lesson_helpers
teaching.plays: coins>coin_walkthroughs noise>noise_walkthroughs records>evidence_walkthroughs
topk: approximate>mechanism approximate_mechanism>occurring_items
    class_inspection>law_grid budget>epsilon_search curves>adaptive_curves
    exact_draw>exact_sampler expected>expected_figure figures_at>figure_curve
    grid>law_grid inspection>law_grid occurring>occurring_items optimal_keeping>publication_bound
    own>user_sampler peeling_draws>peeling_sampler promises>shortfall_guarantees
    selection>law shorter_classes>classes
topk.joint: levels>level_distribution sequence_law>level_law set_draws>joint_exponential
views: candidates>pages.candidates.view common>pages.common compare>pages.compare.view
    decide>pages.decide.view explore>pages.explore.view gaps>pages.gaps.view
    margin>pages.margin.view neighbours>pages.neighbours.view start>pages.start.view
views.candidates: choice>pages.candidates.choice_view leaks>pages.candidates.leaks_view
    search>pages.candidates.search_view words>pages.candidates.sentences
views.common: hand>pages.common.page_view lessons>pages.common.lesson_figures
    page>pages.common.page_view slider>pages.common.slider_file subject>pages.common.page_view
    top_k>pages.common.law_wording wording>pages.common.wording
views.decide: words>pages.decide.sentences
views.decide.words: basis>pages.decide.sentences.basis phrases>pages.decide.sentences.phrases
    price>pages.decide.sentences.price quality>pages.decide.sentences.quality
views.explore: closer>pages.explore.closer_look
views.gaps: one_query>pages.gaps.release_details sparse>pages.gaps.sparse top_k>pages.gaps.top_k
views.neighbours: cards>pages.neighbours.sentences pictures>pages.neighbours.view
    tables>pages.neighbours.tables words>pages.neighbours.sentences
"""


def _read(table: str) -> dict[str, str]:
    moved: dict[str, str] = {}
    for line in table.replace("\n    ", " ").strip().splitlines():
        folder, _, entries = line.partition(":")
        inside = "" if folder == "dpviz" else f"{folder}."
        for entry in entries.split():
            old, _, new = entry.partition(">")
            moved[f"dpviz.{inside}{old}"] = (
                f"dpviz.{new.lstrip('.') if '.' in new else inside + new}"
            )
    return moved


MOVED = _read(_MOVED)


class _OldPaths:
    """Import hook, a finder and a loader in one, that finds a module by its old path."""

    # without the bases of importlib.abc, which take as long to load as the rest of `import dpviz`

    def __init__(self) -> None:
        self._specs: dict[str, ModuleSpec | None] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if fullname in MOVED else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        new = MOVED[spec.name]
        warnings.warn(
            f"{spec.name} is {new} now; the old path goes with the next release",
            DeprecationWarning,
            stacklevel=2,
        )
        module = import_module(new)
        self._specs[new] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        # the import system has put the old path there
        module.__spec__ = self._specs[module.__name__]


def redirect_moved_module_imports() -> None:
    """From now on let imports find modules that moved."""
    sys.meta_path.insert(0, _OldPaths())
