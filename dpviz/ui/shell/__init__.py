"""What every page shares; read `start` first, then `state`.

`start` begins a page, `state` holds the session's scenario, which every control shows and edits; `controls` and
`page_parameters` draw controls from declarations. `data_panel` says where scores come from: `incoming` takes those from
outside, `origin` makes them those of now and says what they are called, `person` what one person can change of them.
`text` and `show` put words, figures, tables and charts on the screen, `page` the head of a page; `paper` says what
leaves it, `takeaway` makes links and files; `style` brings the .css and .js files.
"""
