"""Explore: one mechanism on one score vector."""

from functools import partial

from dpviz import charts, ui

scenario, scores = ui.start("explore")
answer = ui.compute(scenario.mechanisms[0], scores)


def title() -> None:
    ui.title(scenario, scores, "Explore", ui.sentence(answer))


def selected() -> None:
    ui.heading("Who is selected")
    if answer.inclusion is None or answer.inclusion_bounds is None:
        ui.waiting("The chance of each item")
        return
    bounds = answer.inclusion_bounds
    ui.show(charts.score_bars(scores, answer.inclusion, scenario.k, bounds=bounds, look=ui.look()), "scores")


ui.part("title", title, ui.there(answer.job, "top"))
ui.banner()
with ui.filling(lambda: [answer.job]):
    headline = partial(ui.headline, answer, events=("top", "optimal", "great", "good"))
    ui.part("headline", headline, ui.there(answer.job))
    ui.part("selected", selected, ui.there(answer.job, "inclusion_bounds"))
    ui.part(
        "class_map",
        partial(ui.class_map, answer, ui.look()),
        lambda: (answer.grid is None, answer.job.finished),
        alone=True,
    )
    ui.part("draws", partial(ui.draws, answer, ui.look()), ui.there(answer.job, "share"), alone=True)
