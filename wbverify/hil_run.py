"""Boards on the robot link: side by side with a recorded run, and alone in a simulation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wbridge.hal.link.errors import ConnectionLost
from wbridge.hal.link.pipe import VirtualClock
from wbridge.hal.link.slave import RobotSide, Slave
from wbridge.wbcore.bridge.simulated_robot import SimulatedRobot
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.simulation import Simulation
from wbridge.wbfirmware.bench import Bench, BenchError, lockstep_pipe
from wbridge.wbfirmware.building.build import Built
from wbridge.wbfirmware.building.hil import slave_options
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbverify.reference import Reference
from wbridge.wbverify.replay import Replay

PATIENCE_S = 10.0
"""Maximum time of the board without a message (s)."""


class BoardTimeout(RuntimeError):
    """Raised when the board has stopped sending messages."""


class _BoardLink:
    """An emulated board with the robot's end of the link on its wire."""

    def __init__(self, bench: Bench, hardware: Hardware, side: RobotSide) -> None:
        self._slave = Slave(hardware.table, side, slave_options(hardware))
        self._clock = VirtualClock()
        self._pipe = lockstep_pipe(bench, self._clock)

    def serve_one(self) -> None:
        """Receive the next message of the board and answer it.

        Raises:
            BoardTimeout: no message arrived.
            BenchError: the emulator ended.
        """
        try:
            message = self._pipe.receive(PATIENCE_S)
        except ConnectionLost as problem:
            raise BenchError(str(problem)) from None
        if message is None:
            raise BoardTimeout(f"the board has sent nothing for {PATIENCE_S:g} s of its time")
        self._answer(self._slave.receive(message, 1000 * self._clock()))

    def finish(self) -> None:
        """Answer the request whose step has ended.

        Raises:
            BenchError: the emulator ended.
        """
        self._answer(self._slave.finish())

    def _answer(self, answer: bytes | None) -> None:
        try:
            if answer is not None:
                self._pipe.send(answer)
        except ConnectionLost as problem:
            raise BenchError(str(problem)) from None


def replay(hardware: Hardware, built: Built, reference: Reference, trace: Path | None = None) -> Replay:
    """Run the controller on the board with the sensor values of the desktop run.

    Args:
        hardware: the hardware map.
        built: its firmware.
        reference: the run on the desktop.
        trace: see `Bench`.

    Returns:
        Its commands.

    Raises:
        BoardTimeout: the board sent no message.
        BenchError: the emulator ended.
    """
    side = Replay(reference)
    with Bench(built.board, built.program, lockstep=True, trace=trace) as bench:
        link = _BoardLink(bench, hardware, side)
        while not side.over:
            link.serve_one()
    return side


def run_closed_loop(
    hardware: Hardware, built: Built, world: World, steps: int, trace: Path | None = None
) -> list[str]:
    """Let the board alone drive the simulated robot in a world without other controllers.

    Args:
        hardware: the hardware map.
        built: its firmware.
        world: freshly loaded.
        steps: basic time steps.
        trace: see `Bench`.

    Returns:
        The hash of the whole world after each step.

    Raises:
        BoardTimeout: the board sent no message.
        BenchError: the emulator ended.
    """
    simulation = Simulation(world)
    robot: Any = simulation.robots.find(hardware.table.name)
    side = SimulatedRobot(robot, waits=True)
    hashes: list[str] = []
    with Bench(built.board, built.program, lockstep=True, trace=trace) as bench:
        link = _BoardLink(bench, hardware, side)
        while len(hashes) < steps:
            if side.due is None:
                link.serve_one()
                continue
            simulation.step()
            now = simulation.time_ms
            robot.sample(now)
            hashes.append(simulation.hash())
            if side.is_due(now):
                side.due = None
                link.finish()
    return hashes
