"""Compare: several mechanisms side by side."""
