"""Drills on data mining."""
