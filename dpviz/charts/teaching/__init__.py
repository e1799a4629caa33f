"""Pictures of lessons: what was drawn beside what has to come."""
