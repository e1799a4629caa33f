"""The page Compare, two to six designs side by side."""
