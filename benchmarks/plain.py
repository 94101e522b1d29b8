"""The plain C++ loops over ODE (benchmarks/native), compiled on first use."""

from __future__ import annotations

import ctypes
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.case import Unavailable
from benchmarks.checkout import BENCHMARKS, BUILD
from wbridge.wbcore.engine import HAS_OWN_ODE, _engine


@cache
def library(same: bool = False) -> ctypes.CDLL:
    """The library of plain loops, compiled if needed.

    Args:
        same: over the ODE in the engine, instead of the distribution's.

    Raises:
        Unavailable: it cannot be compiled."""
    source = str(BENCHMARKS / "native")
    engine = Path(str(_engine.__file__)).resolve()
    if same and not HAS_OWN_ODE:
        raise Unavailable("the engine has no ODE of its own")
    options = [f"-DENGINE={engine}", f"-DHEADERS={engine.parent / 'include'}"] if HAS_OWN_ODE else []
    for command in (["cmake", "-S", source, "-B", str(BUILD), *options], ["cmake", "--build", str(BUILD)]):
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError as missing:
            raise Unavailable(f"{missing.filename} is not installed") from None
        if done.returncode != 0:
            raise Unavailable(f"cannot compile the plain loops: {done.stderr.strip()[-300:]}")
    loaded = ctypes.CDLL(str(BUILD / f"libplain_{'same_' if same else ''}ode.so"))
    signatures: tuple[tuple[Any, list[Any], Any], ...] = (
        (loaded.plain_world, [ctypes.c_char_p, ctypes.c_int], ctypes.c_void_p),
        (loaded.plain_steps, [ctypes.c_void_p, ctypes.c_long], ctypes.c_double),
        (loaded.plain_sway, [ctypes.c_void_p, ctypes.c_double], None),
        (loaded.plain_free, [ctypes.c_void_p], None),
        (loaded.plain_copy, [ctypes.c_double, ctypes.c_int], ctypes.c_void_p),
        (loaded.plain_loop, [ctypes.c_long], ctypes.c_double),
        (loaded.plain_echo, [ctypes.c_int], ctypes.c_double),
        (loaded.plain_last_position, [ctypes.c_void_p, ctypes.POINTER(ctypes.c_double)], None),
    )
    for function, arguments, result in signatures:
        function.argtypes, function.restype = arguments, result
    return loaded


class PlainWorld:
    """A scene of benchmarks/native/scenes.cpp with the loop that steps it."""

    def __init__(self, scene: str, count: int, sway: float = 0.0, same: bool = False) -> None:
        """
        Args:
            scene: its name.
            count: number of its robots.
            sway: rad or rad/s by which all targets lie below and above their values, in turns.
            same: over the ODE in the engine, instead of the distribution's.
        """
        self._library = library(same)
        self._world = self._library.plain_world(scene.encode(), count)
        if not self._world:
            raise ValueError(f"unknown scene {scene!r}")
        self._library.plain_sway(self._world, sway)

    def seconds(self, steps: int) -> float:
        """Make steps; returns the seconds they took, measured in the loop."""
        return float(self._library.plain_steps(self._world, steps))

    def last_position(self) -> tuple[float, float, float]:
        """Position (m) of the last body created."""
        position = (ctypes.c_double * 3)()
        self._library.plain_last_position(self._world, position)
        return position[0], position[1], position[2]

    def close(self) -> None:
        """Free the world."""
        self._library.plain_free(self._world)
        self._world = None
