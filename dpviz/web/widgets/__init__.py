"""Controls, cards, charts and text on the screen; read `page_start` first."""

from dpviz.web.widgets.controls import (
    SMALL,
    PageParameters,
    advance_seed,
    bind_control,
    button,
    choice_buttons,
    edit_for_keyword,
    menu,
    number_box,
    radio,
    seed_box,
    show_notice,
    show_side_heading,
    sidebar_section,
    slider_and_box,
)
from dpviz.web.widgets.data_source import ACCEPTED, uploader
from dpviz.web.widgets.design_controls import design_editor
from dpviz.web.widgets.download_button import show_download_button
from dpviz.web.widgets.elements import (
    add_style_rules,
    component,
    current_look,
    data_name_html,
    escape_markdown,
    glossary_term,
    html,
    isolate_bidi,
    live_text,
    multiple_text,
    show_bullets,
    show_glossary,
    show_markup,
    show_menu_help,
    show_paragraph,
)
from dpviz.web.widgets.live_parts import (
    compute_all_in_background,
    compute_in_background,
    fold,
    live_part,
    show_chart_placeholder,
    show_in_fragment,
    show_job_progress,
    show_placeholder,
    showable_job_count,
)
from dpviz.web.widgets.navigation import requested_page, switch_to_page
from dpviz.web.widgets.page_start import (
    set_up_page,
    set_up_page_without_scenario,
    set_up_page_without_scores,
    show_budget_control,
    show_k_control,
    show_presenter_button,
)
from dpviz.web.widgets.person_questions import (
    RELATIONS,
    ask_items_per_person,
    ask_neighbour_relation,
)
from dpviz.web.widgets.print_header import csv_with_provenance, page_provenance
from dpviz.web.widgets.show import (
    ILLUSTRATIONS,
    WAIT,
    Cell,
    card,
    cards,
    estimated_badge,
    exact_badge,
    heading,
    law_badge,
    show_chart,
    show_figures,
    show_first_chart,
    show_not_private_banner,
    show_page_head,
    show_page_title,
    show_refusals,
    show_table,
    show_table_editor,
)
from dpviz.web.widgets.slider_preview import (
    PreviewedSlider,
    enable_slider_preview,
    hash_preview_key,
    previewed_page_slider,
    slider,
    slider_stops,
)
