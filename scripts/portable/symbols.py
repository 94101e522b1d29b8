"""What a program takes from its system: no function that rounds, where it cannot be run and compared."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

from scripts.portable.tools import environment

__all__ = ["rounding_functions", "undefined_symbols"]

ROUNDING = frozenset(
    "acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf erfc exp exp2 expm1 hypot lgamma log log10 "
    "log1p log2 pow sin sincos sinh tan tanh tgamma".split()
)
"""Functions whose last bit differs from one system to the next."""


def undefined_symbols(program: Path, tools: Path) -> list[str]:
    """Return the names of what a program for any system takes from its libraries.

    Raises:
        subprocess.CalledProcessError: the file is none that LLVM's `nm` reads.
    """
    lister = str(tools / "usr" / "bin" / "llvm-nm-14")
    command = [lister, "--undefined-only", "--format=just-symbols", str(program)]
    variables = {**os.environ, **environment(tools)}
    return subprocess.run(command, env=variables, capture_output=True, text=True, check=True).stdout.split()


def rounding_functions(symbols: Iterable[str]) -> list[str]:
    """Return which ones are mathematical functions that round; names on macOS begin with `_`."""
    names = {name.lstrip("_").removesuffix("_stret") for name in symbols}
    return sorted(names & ROUNDING)
