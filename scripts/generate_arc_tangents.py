"""Write the table of the engine's arc tangent, wbcore/engine/musl/arc_table.c.

Next to c = k / 128, atan(c + z) = atan(c) + z / (1 + c c) + z z p(z). The judge of the function is MPFR, in
tests/engine/accuracy.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import mpmath

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scripts.generated import ROOT, write_or_compare

TARGET = ROOT / "wbcore" / "engine" / "musl" / "arc_table.c"
COUNT = 128
TERMS = 6
"""Coefficients of p: with them the error is below 2^-72, for |z| up to half the distance of two rows."""
HEAD = """// Written by scripts/generate_arc_tangents.py.
#include "arc_table.h"

// clang-format off
const ArcRow kArcs[129] = {
"""


def row(k: int) -> Iterator[float]:
    """Yield the angle and the slope, each as a number of few bits and its rest, and the coefficients of p.

    An angle is a multiple of 2^-52: its difference from a right angle is exact. A slope has 26 bits: its
    product with another number of 26 bits is exact.
    """
    c = mpmath.mpf(k) / COUNT
    for value, unit in ((mpmath.atan(c), 2**52), (1 / (1 + c * c), 2**26)):
        first = mpmath.nint(value * unit) / unit
        yield float(first)
        yield float(value - first)
    yield from map(float, curve(c))


def curve(c: mpmath.mpf) -> list[mpmath.mpf]:
    """Return the coefficients of the polynomial p that is exact at Chebyshev's nodes."""
    half = mpmath.mpf(1) / (2 * COUNT)
    nodes = [half * mpmath.cos(mpmath.pi * (2 * i + 1) / (2 * TERMS)) for i in range(TERMS)]
    powers = mpmath.matrix([[z**i for i in range(TERMS)] for z in nodes])
    values = [(mpmath.atan(c + z) - mpmath.atan(c) - z / (1 + c * c)) / z**2 for z in nodes]
    solved = mpmath.lu_solve(powers, mpmath.matrix(values))
    return [value if abs(value) > 1e-30 else mpmath.mpf(0) for value in solved]


def make() -> dict[Path, str]:
    """Return the text of the file."""
    with mpmath.workdps(60):
        rows = [[value.hex() for value in row(k)] for k in range(COUNT + 1)]
    lines = [
        f"  {{{', '.join(each[:4])},\n   {{{', '.join(each[4:7])},\n    {', '.join(each[7:])}}}}},\n"
        for each in rows
    ]
    return {TARGET: HEAD + "".join(lines) + "};\n"}


if __name__ == "__main__":
    sys.exit(write_or_compare("Write the table of the engine's arc tangent.", make))
