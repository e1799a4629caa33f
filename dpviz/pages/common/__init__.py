"""Parts that page views share; read `page_view` first.

`page_view` defines a page's view and the page while ε is dragged, `slider_file` its figure with a
slider. `wording` formats values and phrases, `top_k_figures` the figures of a law
of k items, `lesson_figures` the picture of a lesson's experiment.
"""

from dpviz.pages.common.page_view import (
    ExactSource,
    FigureSource,
    Headline,
    PagePreview,
    PageSubject,
    PageView,
    PreviewRequest,
    PreviewText,
    SimulatedSource,
    headline_texts_by_place,
)
from dpviz.pages.common.slider_file import (
    LessonActivities,
    SliderPosition,
    Takeaway,
    build_position,
    epsilon_grid,
    fix_chart_axes,
    with_table,
)
from dpviz.pages.common.top_k_figures import (
    event_meaning,
    event_regions,
    format_expected_hits,
    format_worst_rank,
    ideal_rank_note,
    law_cells,
    law_column_headings,
    method_phrase,
    right_on_average_sentence,
    select_event,
)
from dpviz.pages.common.wording import (
    NOTHING,
    disclosure_sentence,
    format_four_digits,
    format_slider_value,
    format_three_digits,
    format_two_decimals,
    list_length_phrase,
    table_as_text,
    takeaway_title,
)

__all__ = [
    "NOTHING",
    "ExactSource",
    "FigureSource",
    "Headline",
    "LessonActivities",
    "PagePreview",
    "PageSubject",
    "PageView",
    "PreviewRequest",
    "PreviewText",
    "SimulatedSource",
    "SliderPosition",
    "Takeaway",
    "build_position",
    "disclosure_sentence",
    "epsilon_grid",
    "event_meaning",
    "event_regions",
    "fix_chart_axes",
    "format_expected_hits",
    "format_four_digits",
    "format_slider_value",
    "format_three_digits",
    "format_two_decimals",
    "format_worst_rank",
    "headline_texts_by_place",
    "ideal_rank_note",
    "law_cells",
    "law_column_headings",
    "list_length_phrase",
    "method_phrase",
    "right_on_average_sentence",
    "select_event",
    "table_as_text",
    "takeaway_title",
    "with_table",
]
