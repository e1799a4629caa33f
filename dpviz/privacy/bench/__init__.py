"""A test bench that judges an implementation by its draws alone.

Read `audit` first (a proved lower bound on the loss, and its event, from `output_events`);
`agreement` holds draws to an exact law; `implementation_draws` collects draws.
"""
