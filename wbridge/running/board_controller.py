"""A controller that is a board: run a firmware in an emulator, and connect the pins of the board with the
simulated robot.

`wbridge firmware emulate --simulate` starts it in place of the robot's controller.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from controller import Robot
from wbridge.hal.catalogue import kinds
from wbridge.options import Loading
from wbridge.running.hardware import hardware_map
from wbridge.wbfirmware.bench import Bench, BenchError
from wbridge.wbfirmware.building.build import Built, Size
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbverify.board_pins import BoardPins
from wbridge.wbverify.coupling import couplings_of
from wbridge.wbverify.coupling.couplings import SAMPLING_SHARE

MAP, PROGRAM = "WBRIDGE_BOARD_MAP", "WBRIDGE_BOARD_PROGRAM"
"""Environment variables: the hardware map and the program of the board."""
RECEIVER = "Receiver"
COMPUTING = 1 / 2
"""Share of a step in which a board samples and computes, before its pins are read."""


def api_method(function: str) -> str:
    """Return the method name of an API function in the controller's classes, without its prefix."""
    first, *others = function.split("_")
    return first + "".join(word.capitalize() for word in others)


def getter(node_type: str) -> str:
    """Return the name of the method that reads a sensor."""
    return api_method(next(channel.get for channel in kinds()[node_type].channels if channel.get))


class BoardController:
    """Connects the robot's devices with the pins of its board."""

    def __init__(self, robot: Robot, bench: Bench, hardware: Hardware) -> None:
        self._robot = robot
        self._step = int(robot.getBasicTimeStep())
        self._wires = BoardPins(bench, couplings_of(hardware), self._step)
        table = hardware.table.all
        self._actors = {tag: robot.getDevice(table[tag].name) for tag in self._wires.actuators}
        self._mouths = {tag: robot.getDevice(table[tag].name) for tag in self._wires.packet_outputs}
        heard = [tag for tag in self._wires.sensors if table[tag].type == RECEIVER]
        self._ears = {tag: robot.getDevice(table[tag].name) for tag in heard}
        self._sensors = {
            tag: (robot.getDevice(table[tag].name), getter(table[tag].type))
            for tag in self._wires.sensors
            if tag and tag not in self._ears
        }
        self._said: dict[tuple[int, str], object] = {}
        for sensor in (*(sensor for sensor, _ in self._sensors.values()), *self._ears.values()):
            sensor.enable(self._step)
        if 0 in self._wires.sensors:
            robot.batterySensorEnable(self._step)

    def run(self) -> None:
        """Run until the simulation ends."""
        while True:
            self._wires.wait(COMPUTING)
            for tag, act in self._wires.actuators.items():
                for name, values in act.commands(self._wires.read(act)):
                    self._command(tag, name, values)
            self._send()
            self._print()
            if self._robot.step(self._step) == -1:
                return
            for tag, wire in self._wires.sensors.items():
                for values in self._heard(tag) if tag in self._ears else [(self._read(tag),)]:
                    wire.transmit(values)
            self._wires.apply_inputs(1 - COMPUTING - SAMPLING_SHARE)
            self._wires.wait(SAMPLING_SHARE)

    def _command(self, tag: int, name: str, values: tuple[object, ...]) -> None:
        """Send a command to the device if it is new."""
        if self._said.get((tag, name)) != values:
            self._said[tag, name] = values
            getattr(self._actors[tag], api_method(name))(*values)

    def _send(self) -> None:
        """Send the packets of the board by the emitters."""
        for packet in self._wires.sent_packets():
            output = self._mouths[packet.tag]
            if output.getChannel() != packet.channel:
                output.setChannel(packet.channel)
            output.send(packet.data)

    def _heard(self, tag: int) -> Iterator[tuple[Any, ...]]:
        """Return what a receiver has received: channel, direction, strength, bytes."""
        ear = self._ears[tag]
        while ear.getQueueLength():
            direction = tuple(ear.getEmitterDirection())
            yield ear.getChannel(), direction, ear.getSignalStrength(), bytes(ear.getBytes())
            ear.nextPacket()

    def _read(self, tag: int) -> Any:
        if tag == 0:
            return self._robot.batterySensorGetValue()
        sensor, read = self._sensors[tag]
        value = getattr(sensor, read)()
        return tuple(value) if read == "getValues" else value

    def _print(self) -> None:
        """Print what the board writes to its wire."""
        self._wires.take_output()
        if self._wires.output_bytes:
            sys.stdout.write(self._wires.output_bytes.decode("utf-8", "replace"))
            sys.stdout.flush()
            self._wires.output_bytes.clear()


def main() -> int:
    """Run the board until the simulation ends; return the exit code."""
    hardware = hardware_map(Path(os.environ[MAP]), Loading())
    built = Built(Path(os.environ[PROGRAM]), Size(0, 0, None), hardware.board)
    try:
        with Bench(built.board, built.program, lockstep=True) as bench:
            BoardController(Robot(), bench, hardware).run()
    except BenchError as problem:
        print(f"wbridge: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
