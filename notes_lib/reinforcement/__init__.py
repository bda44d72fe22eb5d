"""Reinforcement learning: the algorithms of part 10 of the book."""
