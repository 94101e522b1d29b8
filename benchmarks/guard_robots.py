"""Emulated robots whose first sensor shows the speed of their left wheel, on a wire in another process.

    python -m benchmarks.guard_robots PLUGIN URL [FOLDER]

FOLDER is for the firmware of a board whose URL is `usb`. The first line on stdout is the robot's URL; the end
of stdin ends it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from wbridge.hal.link.recording_robot import RecordingRobot
from wbridge.hal.link.server import Server
from wbridge.hal.link.slave import Slave
from wbridge.hal.link.transports import listen
from wbridge.hal.ready import readable
from wbridge.remote_controls.emulators import emulator
from wbridge.remote_controls.emulators.emulator_server import EmulatorServer
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.scene.tables.device_tables import device_tables
from wbridge.wbfirmware.bench import Bench
from wbridge.wbfirmware.building.build import build
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware

__all__ = ["LINK", "MOTORS", "PINS", "SENSORS", "USB", "world_of"]

LINK, USB = "wblink", "usb"
BOARD = "arduino-leonardo"
"""Its emulator is fast enough for real time."""
VOLTS, LOOK_S = 5.0, 0.002


class ShownSpeed(NamedTuple):
    """How a robot shows the speed of its left wheel."""

    device: str
    setting: str
    """Of the emulator."""
    state: str
    """Of the wheel."""
    scale: float
    """From the state to the setting, so that two commands differ by more than a tolerance."""
    middle: float
    """Between the readings at 1 and 2 rad/s."""


SENSORS = {
    "epuck": ShownSpeed("ps0", "ps0", "left", 300.0, 450.0),
    "create2": ShownSpeed("cliff_left", "cliff_left_signal", "left", 300.0, 450.0),
    "firmata": ShownSpeed("ds", "A0", "D5", 4.0, 154.0),
    LINK: ShownSpeed("ds", "ds.value", "left motor.velocity", 100.0, 150.0),
}
MOTORS = {"epuck": "left wheel motor", "create2": "left wheel motor", "firmata": "left motor"}
MOTORS |= {LINK: "left motor"}
WORLD = """#VRML_SIM R2025a utf8
WorldInfo {{ basicTimeStep 32 }}
Robot {{
  name "rover"
  controller "turns"
  controllerArgs [ "{plugin}" "{turns}" "{answers}" ]
  children [
    HingeJoint {{
      device RotationalMotor {{ name "{motor}" maxVelocity 10 }}
      endPoint Solid {{ physics Physics {{ density -1 mass 0.1 inertiaMatrix [ 1 1 1, 0 0 0 ] }} }}
    }}
    DistanceSensor {{ name "{sensor}" lookupTable [ 0 0 0, 1 1000 0 ] }}
  ]
}}
"""
PINS = """
sampling = 4
[devices."left motor"]
pwm = 5
forward = 4
backward = 7
[devices.ds]
analog = "A0"
"""


def world_of(plugin: str, turns: str = "", answers: str = "") -> str:
    """The world of a robot, whose controller takes turns from one file and answers in another."""
    names = {"motor": MOTORS[plugin], "sensor": SENSORS[plugin].device}
    return WORLD.format(plugin=plugin, turns=turns, answers=answers, **names)


def serve(url: str, poll: Callable[[], None]) -> None:
    """Serve a robot until stdin ends."""
    print(url, flush=True)
    while not readable([sys.stdin], 0.0):
        poll()


def serve_emulator(name: str, url: str) -> None:
    """Serve a robot with a protocol of its own."""
    robot, shown = emulator(name), SENSORS[name]
    receive = robot.receive

    def show(data: bytes) -> bytes:
        answer = receive(data)
        robot.set(shown.setting, round(shown.scale * abs(robot.state().get(shown.state, 0.0))))
        return answer

    robot.receive = show  # type: ignore[method-assign]
    server = EmulatorServer(url, robot)
    serve(server.url, lambda: server.poll(0.001))
    server.close()


class ShowingRobot(RecordingRobot):
    """A robot of the robot link whose sensor shows the speed of its motor."""

    def step(self, elapsed: int) -> bool:
        """Advance the clock, and measure."""
        shown = SENSORS[LINK]
        self.values[shown.setting] = shown.scale * self.state.get(shown.state, 0.0)
        self.commands.clear()
        return super().step(elapsed)


def serve_link(url: str) -> None:
    """Serve a robot of the robot link."""
    table = device_tables(load_text(world_of(LINK)))[0]
    server = Server(listen(url, table), Slave(table, ShowingRobot()))
    serve(server.listener.url, lambda: server.poll(0.05))
    server.close()


def serve_board(folder: Path) -> None:
    """Serve an emulated board at a USB port, whose sensor shows the duty of its motor."""
    table, map_file = device_tables(load_text(world_of(LINK)))[0], folder / "hardware.toml"
    (folder / "rover.wbt").write_text(world_of(LINK))
    map_file.write_text(propose(table, "rover.wbt", BOARD))
    hardware = load_hardware(map_file, table)
    pwm, pin = (
        str(next(wiring.values[name] for wiring in hardware.wirings if name in wiring.values))
        for name in ("pwm", "pin")
    )
    with Bench(hardware.board, build(hardware, folder / "out").program, wire=USB) as bench:

        def poll() -> None:
            bench.drive(pin, VOLTS * (1 - bench.show(pwm).value))  # 0 m at 5 V
            time.sleep(LOOK_S)

        serve(bench.url, poll)


def main(arguments: Sequence[str]) -> None:
    """Serve a robot."""
    name, url, *folder = arguments
    if name != LINK:
        serve_emulator(name, url)
    elif url == USB:
        serve_board(Path(folder[0]))
    else:
        serve_link(url)


if __name__ == "__main__":
    main(sys.argv[1:])
