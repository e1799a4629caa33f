"""Start: the trade between privacy and utility in one sentence."""
