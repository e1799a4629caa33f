"""A test bench that judges an implementation by its draws alone.

Read `audit` first: a proved lower bound on the loss, and the event that shows it. `output_events`
has the candidates for it, and the choice of one; `agreement` holds draws to an exact law;
`implementation_draws` collects draws, of dpviz or others.
"""
