"""Learn: lessons to choose from, and a lesson step by step."""
