"""A test bench: does an implementation do what it says, judged by nothing but its draws?

Read `audit` first: a proved lower bound on the loss, and the event that shows it. `output_events`
are what it looks for, and how one is chosen; `agreement` holds draws to an exact law;
`implementation_draws` asks whoever draws, dpviz's own or not.
"""
