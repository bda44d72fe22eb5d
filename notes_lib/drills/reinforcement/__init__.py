"""Drills on reinforcement learning."""
