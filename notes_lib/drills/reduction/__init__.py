"""Drills on dimension reduction."""
