"""Markov decision processes: the value of a policy, the best value, and the policies that reach it.

The pure functions follow the chapter *Markov decision processes*: returns, the chain that a policy makes, the two
Bellman backups, the greedy and the improved policy, the error bound. :class:`MDP` holds a process, and
:func:`policy_evaluation`, :func:`policy_iteration`, :func:`modified_policy_iteration`, :func:`value_iteration` and
:func:`finite_horizon` solve it. :func:`grid_mdp` builds the grids of the chapter.

Sources: R. Bellman (1957), *Dynamic Programming*; R. Howard (1960), *Dynamic Programming and Markov Processes*; M.
Puterman (1994), *Markov Decision Processes*, chapters 4, 6 and 7.
"""

from notes_lib.reinforcement.mdp.grid import ACTIONS, grid_mdp
from notes_lib.reinforcement.mdp.model import MDP
from notes_lib.reinforcement.mdp.planning import (
    Plan,
    TimedPlan,
    finite_horizon,
    modified_policy_iteration,
    policy_evaluation,
    policy_iteration,
    value_iteration,
)
from notes_lib.reinforcement.mdp.steps import (
    Chain,
    action_values,
    discounted_returns,
    error_bound,
    expectation_backup,
    greedy_policy,
    improved_policy,
    optimality_backup,
    policy_chain,
)

__all__ = [
    "ACTIONS",
    "MDP",
    "Chain",
    "Plan",
    "TimedPlan",
    "action_values",
    "discounted_returns",
    "error_bound",
    "expectation_backup",
    "finite_horizon",
    "greedy_policy",
    "grid_mdp",
    "improved_policy",
    "modified_policy_iteration",
    "optimality_backup",
    "policy_chain",
    "policy_evaluation",
    "policy_iteration",
    "value_iteration",
]
