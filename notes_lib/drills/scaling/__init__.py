"""Drills on scaling up."""
