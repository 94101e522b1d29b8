"""A robot with the devices of a test, wired to a board by a hardware map."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.firmware.test_drivers import device
from wbridge.hal.table import DeviceTable
from wbridge.main import main
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.reading import load_hardware


def table_of(devices: Mapping[str, tuple[str, dict[str, Any]]]) -> DeviceTable:
    """The robot "all" with devices of some types and constants, by name."""
    entries = tuple(device(k + 1, name, *what) for k, (name, what) in enumerate(devices.items()))
    return DeviceTable(device(0, "all", "Robot", {}), entries)


def mapped(folder: Path, text: str, table: DeviceTable) -> Hardware:
    """A hardware map in a folder."""
    (folder / "hardware.toml").write_text(text)
    return load_hardware(folder / "hardware.toml", table)


def verify_standalone(folder: Path, world: str, code: str, text: str) -> int:
    """Verify 100 steps of a map, which names the world w.wbt and the controller code.c; the exit code. The
    values are in the file table.csv."""
    (folder / "w.wbt").write_text(world)
    (folder / "code.c").write_text(code)
    (folder / "hardware.toml").write_text(text)
    words = ["--steps", "100", "--flavor", "standalone", "--table", str(folder / "table.csv")]
    return main(["-q", "firmware", "verify", str(folder / "hardware.toml"), *words])
