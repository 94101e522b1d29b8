"""Mathematical functions with the same bits on every machine.

Python's `math` and NumPy call the C library's functions, which differ in the last place from one system to
the next. Code whose results reach a simulation's state or a sensor calls these, with numbers or arrays. What
is undefined is NaN, without an exception. Square roots, sums and products are the same everywhere.
"""

from wbridge.wbcore.engine._engine import (
    acos,
    asin,
    atan,
    atan2,
    cos,
    exp,
    hypot,
    log,
    log10,
    power,
    sin,
    tan,
)

__all__ = ["acos", "asin", "atan", "atan2", "cos", "exp", "hypot", "log", "log10", "power", "sin", "tan"]
