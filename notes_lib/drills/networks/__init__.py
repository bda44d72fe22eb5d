"""Drills on neural networks."""
