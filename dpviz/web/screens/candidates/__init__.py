"""The page Candidates; Neighbours uses its controls and runs, too."""
