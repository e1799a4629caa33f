"""What every page shares: how it starts, its state, controls, data, and how a chart gets on the screen."""
