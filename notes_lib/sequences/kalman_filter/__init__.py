"""The Kalman filter: prediction, update, likelihood, smoother, steady state, and parameters by EM.

The pure functions follow the derivation of the chapter *The Kalman filter*, one step each; :class:`KalmanFilter` puts
them together under the names of pykalman.

A state z of d numbers moves by ``z_t = A z_(t-1) + w_t``, and m numbers are seen of it, ``y_t = C z_t + v_t``; w and v
are Gaussian with the covariances Q and R. The initial mean and covariance are those of ``z_1`` before ``y_1`` is seen.

Source: Kalman (1960), Journal of Basic Engineering 82, 35-45; Rauch, Tung and Striebel (1965), AIAA Journal 3,
1445-1450; Durbin and Koopman (2012), chapters 2, 4 and 7.
"""

from notes_lib.sequences.kalman_filter.model import KalmanFilter
from notes_lib.sequences.kalman_filter.passes import Estimates
from notes_lib.sequences.kalman_filter.steps import (
    Prediction,
    SteadyState,
    Update,
    joseph,
    kalman_gain,
    predict_step,
    smooth_step,
    smoother_gain,
    steady_state,
    update_step,
)

__all__ = [
    "Estimates",
    "KalmanFilter",
    "Prediction",
    "SteadyState",
    "Update",
    "joseph",
    "kalman_gain",
    "predict_step",
    "smooth_step",
    "smoother_gain",
    "steady_state",
    "update_step",
]
