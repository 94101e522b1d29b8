"""Time of the engine's mathematical functions, relative to those of the system's C library."""

from __future__ import annotations

import ctypes
import ctypes.util
from functools import cache, partial

import numpy as np

from benchmarks.bench_engine import cpu_seconds
from benchmarks.case import Case, Cost, Reading, Unavailable, fastest
from benchmarks.plain import library
from wbridge.wbcore.engine import BUILD_NOTE, mathematics

COUNT = 8192
"""Arguments of a turn: all of them fit into the cache."""
ROUNDS = 100
LIMIT = 1.3
ARGUMENTS: dict[str, tuple[tuple[float, float], ...]] = {
    "acos": ((-1, 1),),
    "asin": ((-1, 1),),
    "atan": ((-30, 30),),
    "atan2": ((-9, 9), (-9, 9)),
    "cos": ((-9, 9),),
    "exp": ((-10, 10),),
    "hypot": ((-9, 9), (-9, 9)),
    "log": ((0.01, 100),),
    "log10": ((0.01, 100),),
    "power": ((0.01, 10), (-5, 5)),
    "sin": ((-9, 9),),
    "tan": ((-9, 9),),
}
"""The least and the largest argument."""


@cache
def system_functions() -> ctypes.CDLL:
    """The system's library of mathematical functions.

    Raises:
        Unavailable: there is none.
    """
    name = ctypes.util.find_library("m")
    if name is None:
        raise Unavailable("the system has no library of mathematical functions")
    return ctypes.CDLL(name)


def beside_the_system(name: str) -> Reading:
    """Nanoseconds of a function, and of the system's one, called in a C loop."""
    if "mathematical" in BUILD_NOTE:
        raise Unavailable("the engine uses the C library's functions")
    source = np.random.default_rng(1)
    arrays = [source.uniform(*limits, COUNT) for limits in ARGUMENTS[name]]
    own = partial(cpu_seconds, partial(getattr(mathematics, name), *arrays))
    return fastest(own, system_loop(name, arrays), ROUNDS, COUNT * 1e-9)


def system_loop(name: str, arrays: list[np.ndarray]) -> Cost:
    """Return what calls a function of the system with each element, and returns the seconds that it took."""
    function = ctypes.cast(system_functions()["pow" if name == "power" else name], ctypes.c_void_p)
    loop = (library().plain_one, library().plain_two)[len(arrays) - 1]
    results = np.empty(COUNT)
    addresses = [array.ctypes.data_as(ctypes.c_void_p) for array in [*arrays, results]]
    return partial(cpu_seconds, partial(loop, function, *addresses, ctypes.c_long(COUNT)))


def cases() -> list[Case]:
    """Time of each function."""
    return [
        Case(f"mathematics: {name}", partial(beside_the_system, name), LIMIT, "ns", "the system's")
        for name in ARGUMENTS
    ]
