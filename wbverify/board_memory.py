"""Read the sensor values of the controller on an emulated board from the board's memory."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wbridge.wbfirmware.bench import Bench, BenchError
from wbridge.wbfirmware.building.build import Built
from wbridge.wbfirmware.building.symbols import symbols
from wbridge.wbfirmware.map.device_rows import reached_channels
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbverify.number_formats import double_bytes

VARIABLE, BEGIN = "channel_memory", "__executable_start"
"""The variable of firmware_templates/controller/channels.c, and the base address of programs on this
computer."""


class StoredNumbers:
    """The sensor values that a controller had at one time."""

    def __init__(self, numbers: NDArray[np.floating], places: dict[tuple[int, str], slice]) -> None:
        self._numbers, self._places = numbers, places

    def of(self, tag: int, channel: str) -> list[float] | None:
        """Return the latest value of a channel (NaN: none yet); None if the controller cannot access it."""
        place = self._places.get((tag, channel))
        return None if place is None else [float(number) for number in self._numbers[place]]

    def has_value(self, tag: int) -> bool:
        """True if the controller has a value of a device."""
        own = [place for (owner, _), place in self._places.items() if owner == tag]
        return any(not np.isnan(self._numbers[place]).any() for place in own)


class BoardMemory:
    """Where a board stores the sensor values."""

    def __init__(self, hardware: Hardware, built: Built) -> None:
        """
        Raises:
            BenchError: the program has no such variable.
            BuildError: the compiler's tools are missing.
        """
        known = symbols(built.board, built.program)
        if VARIABLE not in known:
            raise BenchError(
                f"{built.program} has no variable {VARIABLE}: the program is of another kind or version; "
                "rebuild it with: wbridge firmware build"
            )
        reached, _ = reached_channels(hardware)
        self._known = known
        self._place = known[VARIABLE] - known.get(BEGIN, 0)
        self._type = np.dtype(f"<f{double_bytes(built.board)}")
        self._count = max((entry.at + entry.numbers for entry in reached), default=0)
        self._places = {
            (entry.tag, entry.name): slice(entry.at, entry.at + entry.numbers)
            for entry in reached
            if entry.numbers
        }

    def is_true(self, bench: Bench, variable: str) -> bool:
        """Return a truth value of the firmware.

        Raises:
            BenchError: the emulator ended.
        """
        return bench.memory(self._known[variable] - self._known.get(BEGIN, 0), 1) != bytes(1)

    def read(self, bench: Bench) -> StoredNumbers:
        """Read the values.

        Raises:
            BenchError: the emulator ended.
        """
        size = self._count * self._type.itemsize
        data = bench.memory(self._place, size) if size else b""
        return StoredNumbers(np.frombuffer(data, self._type), self._places)
