"""Parts of the page Explore: the map of classes and the draws."""
