"""Charts of top-k laws: bars of the scores, the (h, t) heatmap and maps, curves, draws."""
