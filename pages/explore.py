"""Explore: one mechanism on one score vector."""

from dpviz import charts, ui

scenario, scores = ui.start("explore")
answer = ui.compute(scenario.mechanisms[0], scores)
ui.title(scenario, scores, "Explore", ui.sentence(answer))
ui.banner()
ui.pending(answer.job)
ui.headline(answer, events=("top", "optimal", "great", "good"))

ui.heading("Who is selected")
if answer.inclusion is None or answer.inclusion_bounds is None:
    ui.waiting("The chance of each item")
else:
    bounds = answer.inclusion_bounds
    ui.show(charts.score_bars(scores, answer.inclusion, scenario.k, bounds=bounds, look=ui.look()), "scores")

ui.class_map(answer, ui.look())
ui.draws(answer, ui.look())
