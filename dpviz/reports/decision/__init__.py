"""What leaves the house when an ε has been decided: the sheet as HTML and as JSON, and the code of the release."""
