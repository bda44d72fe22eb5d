"""Temporal-difference learning: values and policies from experience, without a model.

The pure functions follow the chapter *Temporal-difference learning*: the step towards a target, temporal-difference
errors, n-step and lambda returns, the targets of SARSA, Q-learning and expected SARSA, ways to explore, linear values,
the score of a softmax policy. :func:`td_zero` learns the values of a policy; :func:`sarsa`, :func:`q_learning`,
:func:`expected_sarsa` and :func:`double_q_learning` learn to act, :func:`reinforce` by the policy gradient;
:func:`play_bandit` measures what exploring costs. :class:`GridWorld` and :class:`CliffWalking` are worlds to act in.

Sources: R. Sutton and A. Barto (2018), *Reinforcement Learning*, chapters 2, 5 to 7, 9, 11 and 13; C. Watkins and P.
Dayan (1992), *Q-learning*.
"""

from notes_lib.reinforcement.temporal_difference.bandits import (
    explore_by_chance,
    explore_by_softmax,
    explore_by_ucb,
    play_bandit,
)
from notes_lib.reinforcement.temporal_difference.environments import CliffWalking, GridWorld
from notes_lib.reinforcement.temporal_difference.gradients import Preferences, reinforce
from notes_lib.reinforcement.temporal_difference.learning import (
    ActionValues,
    Values,
    double_q_learning,
    expected_sarsa,
    q_learning,
    sarsa,
    td_zero,
)
from notes_lib.reinforcement.temporal_difference.steps import (
    epsilon_greedy,
    expected_sarsa_target,
    lambda_returns,
    moved,
    n_step_returns,
    q_learning_target,
    sarsa_target,
    softmax_policy,
    softmax_score,
    td_errors,
    td_system,
    ucb_index,
)

__all__ = [
    "ActionValues",
    "CliffWalking",
    "GridWorld",
    "Preferences",
    "Values",
    "double_q_learning",
    "epsilon_greedy",
    "expected_sarsa",
    "expected_sarsa_target",
    "explore_by_chance",
    "explore_by_softmax",
    "explore_by_ucb",
    "lambda_returns",
    "moved",
    "n_step_returns",
    "play_bandit",
    "q_learning",
    "q_learning_target",
    "reinforce",
    "sarsa",
    "sarsa_target",
    "softmax_policy",
    "softmax_score",
    "td_errors",
    "td_system",
    "td_zero",
    "ucb_index",
]
