"""Deployments: what others promise, and where a plan lies among them."""
