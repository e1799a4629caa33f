"""The k largest of independent noisy values, against the cut-off: the (k+1)-th largest of them."""
