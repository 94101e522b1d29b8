"""Mathematical functions, which each compiler's library rounds in its own way."""

from __future__ import annotations

from wbridge.wbfirmware.building.build import Built
from wbridge.wbfirmware.building.symbols import symbols

FUNCTIONS = frozenset(
    "acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf erfc exp exp2 expm1 hypot lgamma log log10 "
    "log1p log2 pow sin sinh tan tanh tgamma".split()
)
"""Functions whose last digit the C standard leaves open; sqrt, fabs, floor and others are exact
everywhere."""


def differing_functions(built: Built) -> list[str]:
    """Return the functions for which a board's program uses another library than programs of this computer.

    Empty for a program of this computer: it is linked to the desktop's library when it starts.

    Raises:
        BuildError: the compiler's tool that lists them is not installed.
    """
    addresses = symbols(built.board, built.program)
    return sorted(name for name in FUNCTIONS if name in addresses or f"{name}f" in addresses)
