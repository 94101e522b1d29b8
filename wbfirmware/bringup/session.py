"""Test all devices of a board, write corrections to the hardware map, and remember what passed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from wbridge.hal.folders import replacement
from wbridge.wbfirmware.boards.flavors import load_flavor
from wbridge.wbfirmware.bringup.device_test import (
    CORRECTED,
    FAILED,
    PASSED,
    SKIPPED,
    DeviceTest,
    Dialog,
    Skipped,
)
from wbridge.wbfirmware.bringup.map_editing import EditError, backup, changed
from wbridge.wbfirmware.bringup.robot import TestedRobot
from wbridge.wbfirmware.bringup.routines import routine
from wbridge.wbfirmware.building.generate import made_files
from wbridge.wbfirmware.map.hardware import Hardware, Wiring

BUILD = '#define LINK_BUILD "'


class Outcome(NamedTuple):
    """The result of a device."""

    device: str
    result: str
    """passed, corrected, failed or skipped."""
    text: str
    """What was changed, or why it failed."""


def as_slave(hardware: Hardware) -> Hardware:
    """Return a hardware map as it is for the test: the board is the robot of the robot link."""
    return hardware._replace(flavor=load_flavor("slave"), controller=None)


def build_of(hardware: Hardware) -> str:
    """Return the name of the build that a hardware map makes."""
    text = made_files(hardware)["config.h"]
    return text.partition(BUILD)[2].partition('"')[0]


class Session:
    """The test of a board. What passed is remembered beside the hardware map until its values change."""

    def __init__(self, hardware: Hardware, robot: TestedRobot, dialog: Dialog) -> None:
        self.hardware, self.robot, self.dialog = hardware, robot, dialog
        self.copy: Path | None = None
        """The copy of the hardware map before the first correction."""
        self._factors: dict[str, float] = {}
        self.outcomes: list[Outcome] = []
        """Of the devices that the last call of `run` has tested so far."""
        self._passed = _read(self.memory)

    @property
    def memory(self) -> Path:
        """Return the file that remembers what passed."""
        return self.hardware.path.with_name(f"{self.hardware.path.name}.tested.json")

    def run(self, wanted: Callable[[str], bool], again: bool) -> list[Outcome]:
        """Test devices.

        Args:
            wanted: returns True for the names of devices to test.
            again: also test those that passed before.

        Raises:
            LinkError: the robot does not answer any more; what was found is written.
            OSError: the hardware map cannot be written.
        """
        wirings = [wiring for wiring in self.hardware.wirings if wanted(wiring.device.name)]
        wirings.sort(key=lambda wiring: routine(wiring.driver.bring_up).ORDER)
        self.outcomes = []
        results = self.outcomes
        for number, wiring in enumerate(wirings, 1):
            name = wiring.device.name
            if not again and self._passed.get(name) == _digest(wiring):
                results.append(Outcome(name, PASSED, "before"))
                continue
            self.dialog.say(f"\n[{number}/{len(wirings)}] {name} ({wiring.driver.name})")
            results.append(self._test(wiring))
            self.dialog.say(": ".join(filter(None, results[-1][1:])))
        return results

    def _test(self, wiring: Wiring) -> Outcome:
        test = DeviceTest(self.hardware, wiring, self.robot, self.dialog, self._factors)
        name = wiring.device.name
        try:
            result = routine(wiring.driver.bring_up).run(test)
        except Skipped:
            return Outcome(name, SKIPPED, "")
        if result == FAILED:
            return Outcome(name, FAILED, test.why)
        if test.changes:
            return self._correct(name, test.changes)
        if result == PASSED:
            self._passed[name] = _digest(wiring)
            _write(self.memory, json.dumps(self._passed, indent=2, sort_keys=True) + "\n")
        return Outcome(name, result, "")

    def _correct(self, name: str, changes: dict[tuple[str, ...], object]) -> Outcome:
        """Write corrections to the hardware map."""
        path = self.hardware.path
        try:
            text = changed(path, path.read_bytes().decode(), changes)
        except EditError as problem:
            return Outcome(name, FAILED, str(problem))
        if self.copy is None:
            self.copy = backup(path)
        _write(path, text)
        words = [f"{keys[-2]}: {keys[-1]} = {json.dumps(value)}" for keys, value in changes.items()]
        return Outcome(name, CORRECTED, ", ".join(words))


def _digest(wiring: Wiring) -> str:
    """Return what the result of a device depends on."""
    text = json.dumps([wiring.driver.name, wiring.values], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _read(memory: Path) -> dict[str, str]:
    """Return what passed before; nothing if the file is missing or damaged."""
    try:
        found = json.loads(memory.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else {}


def _write(path: Path, text: str) -> None:
    """Replace a file at once, so that an interruption leaves the former one."""
    with replacement(path) as draft:
        draft.write_bytes(text.encode())
