"""What every page shares; read `start` first, then `state`.

`start` begins a page, `state` holds the session's scenario, which every control shows and edits; `controls` and
`page_parameters` draw controls from declarations, `data_panel`, `incoming` and `event_log` say where scores come from,
`taken` makes them those of now, `person` says what one person can change of them, `share` makes links and files.
`page`, `show`, `badges` and `text` put words, charts, figures and numbers on the screen; `style` and `click` bring the
.css and .js files.
"""
