"""The solver of exact steps: along the trees of bodies (sparse), or ODE's own with one matrix (dense)."""

from __future__ import annotations

import os

SOLVERS = ("sparse", "dense")
DEFAULT_SOLVER = "sparse"
VARIABLE = "WBRIDGE_SOLVER"
"""Names the solver of all simulations that are not given another one."""


def usual_solver() -> str:
    """Return the solver of simulations that are not given another one, which need not exist."""
    return os.environ.get(VARIABLE) or DEFAULT_SOLVER


def chosen_solver(name: str | None) -> str:
    """Return a solver's name, by default that of the variable.

    Raises:
        ValueError: there is no such solver.
    """
    chosen = name or usual_solver()
    if chosen not in SOLVERS:
        source = "solver" if name else VARIABLE
        raise ValueError(f"{source} must be {' or '.join(SOLVERS)}, not {chosen!r}")
    return chosen


def solver_note(name: str) -> str:
    """Return what the first line of a run says of a solver that is not the default."""
    return "" if name == DEFAULT_SOLVER else f"{name} solver, "
