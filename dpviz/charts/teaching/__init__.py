"""Charts of lessons: drawn releases beside their exact law."""
