"""Revision: the drills of the page on closed-book arithmetic."""
