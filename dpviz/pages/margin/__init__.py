"""One item of a huge universe."""
