"""Charts of top-k laws: score bars, (h, t) heatmaps, curves and draws."""
