"""A robot whose board hangs at this computer's USB port, in real time, for `tests.remote.deaths`."""

from __future__ import annotations

from pathlib import Path

from wbridge.hal.table import DeviceTable
from wbridge.wbfirmware.bench import Bench
from wbridge.wbfirmware.building.build import build
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware

BOARD = "arduino-leonardo"
"""Its emulator is fast enough for real time on a busy computer."""


class BoardRobot:
    """An emulated board with the firmware of a robot; its pins show what the motor does."""

    broker = None

    def __init__(self, table: DeviceTable, motor: str, folder: Path) -> None:
        folder.mkdir()
        map_file = folder / "hardware.toml"
        map_file.write_text(propose(table, "rover.wbt", BOARD))
        hardware = load_hardware(map_file, table)
        self._bench = Bench(hardware.board, build(hardware, folder / "out").program, wire="usb")
        wiring = next(wiring for wiring in hardware.wirings if wiring.device.name == motor)
        self._pin, self.url = str(wiring.values["pwm"]), self._bench.url

    def is_driving(self) -> bool:
        """The left wheel turns."""
        return self._bench.show(self._pin).value > 0.0

    def cut(self) -> None:
        """Pull the cable."""
        self._bench.drive("USB:CABLE", 0)

    def close(self) -> None:
        """Switch it off."""
        self._bench.close()
