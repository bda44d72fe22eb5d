"""The quiz of the chapter *Optimisation*, decided: see ``tests/claims/deciding.py``."""

import numpy as np

from notes_lib.foundations.optimization import kkt_residuals, qp_dual, solve_qp, tangent_curvature
from tests.claims.deciding import decided

SMALL = 1e-9
P, Q = np.diag([2.0, 4.0]), np.array([-8.0, -8.0])  # the worked program
G, H = np.array([[1.0, 1.0], [1.0, -1.0]]), np.array([3.0, 2.0])


def _is_kkt(gradient, g, jac_g, mu):
    return max(kkt_residuals(gradient, g, jac_g, mu)) < SMALL


def _on_interval(sign, x, mu):
    """Whether KKT holds for sign * x^2 on [-2, 1], and whether the point is a global minimum."""
    grid = np.linspace(-2, 1, 301)
    holds = _is_kkt([2 * sign * x], [x - 1, -x - 2], [[1], [-1]], mu)
    return holds, bool(sign * x**2 <= (sign * grid**2).min() + SMALL)


def _kkt_is_enough(cases):
    found = [_on_interval(*case) for case in cases]
    assert all(holds for holds, _ in found)
    return all(lowest for _, lowest in found)


def quiz_sufficient():
    """For which problems are the KKT conditions sufficient for a global minimum?"""
    convex, bent = [(1, 0.0, [0, 0])], [(-1, 0.0, [0, 0]), (-1, -2.0, [0, 4])]
    # x^2 <= 0 has no Slater point, and yet its KKT points of x^2 are minima; x^4 is no quadratic program
    without_slater = _is_kkt([0.0], [0.0], [[0.0]], [1.0])
    no_quadratic = _is_kkt([4 * 0.0**3], [0.0 - 1], [[1.0]], [0.0])
    return {
        "For all differentiable ones": _kkt_is_enough(convex + bent),
        "For convex $f$ and $g_j$ with affine $h_m$": _kkt_is_enough(convex),
        "Only if Slater's condition holds": not without_slater,
        "For quadratic programs, and only for those": _kkt_is_enough(convex + bent) and not no_quadratic,
    }


def quiz_price(left, price):
    r"""In a convex problem with Slater's condition the KKT multipliers are unique; that of $x_1 + x_2 \leq <left>$ is <price>. Which statements are true?"""  # noqa: E501
    base = solve_qp(P, Q, G, H)
    assert np.allclose([H[0], base.mu[0]], [left, price])
    rises = lambda level: solve_qp(P, Q, G, [level, H[1]]).primal - base.primal
    free = solve_qp(P, Q, G[1:], H[1:]).primal - base.primal
    return {
        "With <level> on the right the optimum falls by about <fall>": lambda level, fall: (
            abs(rises(level) + fall) < 0.01 * fall
        ),
        "Without the constraint the optimum falls by <fall>, whatever the problem is": lambda fall: (
            abs(free + fall) < SMALL
        ),
        "With <level> on the right the optimum rises by at least <rise>": lambda level, rise: rises(level) >= rise,
        "The constraint is active": abs(G[0] @ base.x - H[0]) < SMALL,
    }


def _on_circle(f_hessian, centre, points):
    """For points of the unit circle: definite Hessian of f, of L, tangent curvature, and whether it is a minimum."""
    angles = np.linspace(-0.1, 0.1, 20)
    found = []
    for x in np.array(points, dtype=float):
        height = lambda z: 0.5 * np.einsum("...i,ij,...j->...", z, f_hessian, z) - z @ centre
        gradient = f_hessian @ x - centre
        lam = -gradient @ x / 2
        assert np.allclose(gradient + 2 * lam * x, 0)
        W = f_hessian + 2 * lam * np.eye(2)
        t = np.arctan2(x[1], x[0]) + angles
        around = height(np.column_stack([np.cos(t), np.sin(t)]))
        definite = [np.linalg.eigvalsh(M).min() > 0 for M in (f_hessian, W)]
        bent = tangent_curvature(W, [2 * x]).eigenvalues[0] > 0
        found.append([*definite, bent, bool((around > height(x)).all())])
    return found


def quiz_curvature():
    r"""On the circle $\lVert\mathbf{x}\rVert = 1$ a point satisfies the Lagrange equations. When is it a strict local minimum?"""  # noqa: E501
    found = _on_circle(2 * np.eye(2), np.array([2.0, 0.0]), [(1, 0), (-1, 0)])
    found += _on_circle(np.array([[0.0, 1.0], [1.0, 0.0]]), np.zeros(2), np.array([(1, -1), (1, 1)]) / np.sqrt(2))
    of_f, of_l, tangent, lowest = np.array(found).T
    return {
        "If the Hessian of $f$ is positive definite": lowest[of_f].all(),
        r"If and only if the Hessian of $\mathcal{L}$ is positive definite": (of_l == lowest).all(),
        r"If $\mathbf{v}^\top\mathbf{W}\mathbf{v} > 0$ for the tangent $\mathbf{v}$": lowest[tangent].all(),
        "Always, the circle is bounded": lowest.all(),
    }


def _gap(more):
    """The gap of e^-x (and e^-y) under x^2 / y <= level, by following x = s, y = s^3, for two levels."""

    def at(level):
        s = 10.0 ** np.arange(1, 8)
        f = lambda x, y: np.exp(-x) + more * np.exp(-y)
        lowest = lambda mu: (f(s, s**3) + mu * (1 / s - level)).min()
        dual = max(lowest(mu) for mu in [0, 1, 10, 100])
        x = np.sqrt(level * s)  # the largest x that is allowed at y = s
        return f(x, s).min() - dual

    return [bool(at(level) > 0.9) for level in (0.0, 0.5)]


def quiz_slater():
    """Which of these closes the duality gap of every convex problem with inequalities only and a finite optimum?"""
    touching, roomy = _gap(0)
    return {
        "A feasible point": not touching,  # x = 0 with any y
        r"A point with $g_j(\mathbf{x}) < 0$ for every $j$, in the interior of the domain": not roomy,
        "A strictly convex objective": not _gap(1)[0],
        "Differentiable $f$ and $g_j$": not touching,
    }


def tf_dual_convex():
    """The dual problem of a non-convex problem is convex."""
    x = np.linspace(0, 2, 2001)  # -x^2 on [0, 2] with x <= 1
    theta = np.array([(-(x**2) + mu * (x - 1)).min() for mu in np.linspace(0, 6, 61)])
    rng = np.random.default_rng(0)
    wild, bound = rng.normal(size=(2, 50))  # any function at 50 points
    other = np.array([(wild + mu * bound).min() for mu in np.linspace(0, 6, 61)])
    return all((np.diff(t, 2) <= SMALL).all() for t in (theta, other))


def tf_global():
    """If a Hessian is positive definite at the point found, the point is a global minimum."""
    wells = np.sort(np.roots([1, 0, -1, 0.1]).real)
    f = lambda x: x**4 / 4 - x**2 / 2 + x / 10
    bent = [x for x in wells if 3 * x**2 - 1 > 0]
    assert len(bent) == 2
    assert min(map(f, bent)) == min(map(f, wells))
    return all(f(x) == min(map(f, wells)) for x in bent)


def tf_equality_sign():
    """The multiplier of an equality constraint must not be negative."""
    lam = lambda b: -2.0 * b  # of x^2 under x = b: 2x + lambda = 0
    assert lam(-1.0) >= 0
    return all(lam(b) >= 0 for b in (-1.0, 1.0))


def tf_weak():
    """Weak duality holds for every problem, convex or not."""
    rng = np.random.default_rng(1)
    gaps = []
    for _ in range(200):
        f, g = rng.normal(size=(2, 30))  # a problem with 30 points
        mu = rng.exponential(size=20)
        theta = (f + mu[:, None] * g).min(axis=1)
        gaps.append(f[g <= 0].min(initial=np.inf) - theta.max())
    assert max(gaps) > 0.1  # strong duality does not
    return min(gaps) >= -SMALL


def tf_strictly():
    """A strictly convex function has a minimum."""
    x = -np.linspace(0, 50, 101)
    has_minimum = lambda values: values[-1] > values.min()
    assert has_minimum((x + 3) ** 2)
    return has_minimum(np.exp(x))


def tf_union():
    """The union of two convex sets is convex."""
    is_convex = lambda inside: inside(0.5 * 0 + 0.5 * 1)  # sets that hold 0 and 1
    assert is_convex(lambda x: 0 <= x <= 1)
    return is_convex(lambda x: x in (0, 1))


def tf_loosen():
    """In a convex problem with Slater's condition, loosening a constraint by $u$ gains at most its multiplier times $u$."""  # noqa: E501
    base = solve_qp(P, Q, G, H)
    assert np.isclose(base.primal, qp_dual(P, Q, G, H).value(base.mu))
    gains = lambda j, u: base.primal - solve_qp(P, Q, G, H + u * np.eye(2)[j]).primal
    return all(gains(j, u) <= base.mu[j] * u + SMALL for j in (0, 1) for u in (0.1, 1.0, 5.0))


test_claim = decided("foundations/optimization", globals())
