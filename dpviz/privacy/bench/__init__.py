"""A test bench that judges an implementation by its draws alone."""
