"""The engine's steps over the distribution's ODE, in a process of their own, compiled on first use."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from benchmarks.case import Unavailable
from benchmarks.checkout import BUILD, CHECKOUT
from wbridge.wbcore.engine import World

__all__ = ["OtherOde"]

PROGRAM = Path("wbcore", "engine", "portable", "state_hash")


@cache
def program() -> Path:
    """The program state_hash, linked with the installed ODE.

    Raises:
        Unavailable: it cannot be compiled."""
    folder = BUILD / "other_ode"
    options = ["-DWBRIDGE_STATE_HASH=ON", "-DWBRIDGE_SYSTEM_ODE=ON", f"-DPython_EXECUTABLE={sys.executable}"]
    for command in (
        ["cmake", "-S", str(CHECKOUT), "-B", str(folder), *options],
        ["cmake", "--build", str(folder)],
    ):
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError as missing:
            raise Unavailable(f"{missing.filename} is not installed") from None
        if done.returncode != 0:
            raise Unavailable(f"cannot compile over the installed ODE: {done.stderr.strip()[-300:]}")
    return folder / PROGRAM


class OtherOde:
    """A world that is stepped over the distribution's ODE; use as a context."""

    def __init__(self, world: World, steps: int) -> None:
        """
        Args:
            world: the world, whose physics is copied.
            steps: of a turn.
        """
        with tempfile.NamedTemporaryFile(suffix=".physics") as file:
            file.write(world.physics())
            file.flush()
            words = [str(program()), file.name, str(steps), "seconds"]
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
            )
            assert self._process.stdout
            self._process.stdout.readline()  # the file has been read

    def __enter__(self) -> OtherOde:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def seconds(self, target: float | None = None) -> float:
        """Make the steps of a turn; returns the processor time (s) that they took.

        Args:
            target: position (rad, m) that all motors go for from now on; None: what they had."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write("\n" if target is None else f"{target!r}\n")
        return float(self._process.stdout.readline())
