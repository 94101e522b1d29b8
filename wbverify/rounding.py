"""Check how a board rounds: a small program repeats computations of the desktop; all bits must be equal.

The program has no drivers, so it compiles quickly, fits every board, and is the same for all robots.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wbfirmware.bench import Bench, BenchError
from wbfirmware.build import build
from wbfirmware.controllers import Controller
from wbfirmware.flavors import load_flavor
from wbverify.number_formats import NumberFormat

if TYPE_CHECKING:
    from wbfirmware.hardware import Hardware

__all__ = ["Rounding", "rounding_of"]

SOURCE = Path(__file__).with_name("numbers") / "numbers.c"
END = b"end"
SLICE_US, SLICES = 10_000, 200


class Rounding(NumberFormat):
    """A result on both sides: its bytes in memory, in hexadecimal."""

    def __str__(self) -> str:
        return f"{self.name} is {self.board} in its memory, and {self.desktop} on the desktop"


def rounding_of(hardware: Hardware, folder: Path) -> list[Rounding]:
    """Run the computations on an emulated board.

    Args:
        hardware: the hardware map, with a controller.
        folder: folder of the generated project.

    Raises:
        BuildError, FirmwareError: the program cannot be built.
        BenchError: the emulator ended, or the board printed nothing.
    """
    assert hardware.controller is not None, "numbers are compared for a controller"
    plain = hardware._replace(flavor=load_flavor("standalone"), wirings=[], reports=())
    with tempfile.TemporaryDirectory(prefix="wbridge-") as place:
        source = Path(shutil.copy(SOURCE, place))
        built = build(plain._replace(controller=Controller(Path(place), [source], [])), folder)
    said = b""
    with Bench(built.board, built.program, lockstep=True) as bench:
        for _ in range(SLICES):
            said += bench.run(SLICE_US)
            if END in said:
                break
        else:
            raise BenchError(
                f"the program that prints the board's number formats printed nothing usable: {said[:80]!r}"
            )
    lines = said.decode("ascii", "replace").split()
    wide = len(lines[len(_FLOATS)]) == 16
    expected = {**_computed(_FLOATS, np.float32), **_computed(_DOUBLES, np.float64 if wide else np.float32)}
    expected |= {name: data.hex() for name, data in _WHOLE.items()}
    return [Rounding(name, own, line) for (name, own), line in zip(expected.items(), lines, strict=False)]


def _computed(names: dict[str, Any], real: Any) -> dict[str, str]:
    """The desktop's results."""
    one, three, even = real(1), real(3), real(16777216)
    return {name: real(work(one, three, even, real)).tobytes().hex() for name, work in names.items()}


_FLOATS = {
    "float 1 / 3": lambda one, three, even, real: one / three,
    "float 2^24 + 1": lambda one, three, even, real: even + one,
    "float 2^24 + 3": lambda one, three, even, real: even + three,
    "float 1 / 3 * 3 - 1": lambda one, three, even, real: one / three * three - one,
    "float -3 / 7": lambda one, three, even, real: -three / real(7),
}
_DOUBLES = {
    "double 1 / 3": lambda one, three, even, real: one / three,
    "double 2^24 + 1": lambda one, three, even, real: even + one,
    "double 1 / 3 * 3 - 1": lambda one, three, even, real: one / three * three - one,
    "double -3 / 7": lambda one, three, even, real: -three / real(7),
}
_WHOLE = {
    "0x01020304": bytes((4, 3, 2, 1)),
    "2.75 as a whole number": (2).to_bytes(4, "little"),
    "-2.75 as a whole number": (-2).to_bytes(4, "little", signed=True),
}
