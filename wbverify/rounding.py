"""Check how a board rounds: a small program repeats computations of the desktop; all bits must be equal.

The program has no drivers, so it compiles quickly, fits every board, and is the same for all robots: it is
built once for a board and stays in the cache folder.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from wbridge.hal.folders import cache_folder
from wbridge.hal.table import DeviceEntry, DeviceTable
from wbridge.wbfirmware.bench import Bench, BenchError
from wbridge.wbfirmware.boards.flavors import load_flavor
from wbridge.wbfirmware.building.build import Built, build
from wbridge.wbfirmware.map.controllers import Controller
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.template_folders import templates_path
from wbridge.wbfirmware.tools import need, run
from wbridge.wbverify.number_formats import NumberFormat

SOURCE = Path(__file__).with_name("numbers") / "numbers.c"
END = b"end"
SLICE_US, SLICES = 10_000, 200
ROBOT = DeviceTable(DeviceEntry(0, "numbers", "Robot", "", {}, ()), ())
"""It has no devices."""


class Rounding(NumberFormat):
    """A result on both sides: its bytes in memory, in hexadecimal."""

    def __str__(self) -> str:
        return f"{self.name} is {self.board} in its memory, and {self.desktop} on the desktop"


def rounding_of(hardware: Hardware) -> list[Rounding]:
    """Run the computations on the emulated board of a hardware map.

    Raises:
        BuildError, FirmwareError: the program cannot be built.
        BenchError: the emulator ended, or the board printed nothing.
    """
    built = _built(hardware)
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


def _built(hardware: Hardware) -> Built:
    """Build the program for the board and the link of a hardware map."""
    plain = hardware._replace(
        path=Path("numbers.toml"), table=ROBOT, flavor=load_flavor("standalone"), wirings=[], reports=()
    )
    with tempfile.TemporaryDirectory(prefix="wbridge-") as place:
        source = Path(shutil.copy(SOURCE, place))
        return build(plain._replace(controller=Controller(Path(place), [source], [])), _folder(plain))


def _folder(plain: Hardware) -> Path:
    """Return the folder of the project; another compiler or installation of wbridge has another one."""
    compiler = plain.board.compiler
    command = need(compiler.command, compiler.packages, "it compiles for the board")
    version = run([command, "--version"], SOURCE.parent)
    known = (plain.board.name, compiler, plain.link, plain.heap, plain.unbounded_stack)
    parts = (version, SOURCE.read_text("utf-8"), str(templates_path()), *known)
    digest = hashlib.sha256(repr(parts).encode()).hexdigest()[:16]
    return cache_folder() / "firmware" / f"numbers-{plain.board.name}-{digest}"


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
