"""Robots without a watchdog, whose controller, guard or simulator dies while they drive.

    python -m tests.remote.deaths

prints the time in ms until the motors stand, for each death.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from remote_controls.emulators import emulator
from tests.conftest import CHECKOUT
from tests.remote import test_firmata
from tests.remote.emulated import Serving, serving
from tests.waiting import wait_for

LEFT = {"create2": "left wheel motor", "epuck": "left wheel motor", "firmata": "left motor"}
MOTOR = """    HingeJoint {{
      device RotationalMotor {{ name "{name}" maxVelocity 6 }}
      endPoint Solid {{ physics Physics {{ density -1 mass 0.1 inertiaMatrix [ 1 1 1, 0 0 0 ] }} }}
    }}
"""
WORLD = """#VRML_SIM R2025a utf8
WorldInfo {{ basicTimeStep 32 }}
Robot {{
  name "rover"
  controller "go"
  controllerArgs [ "{url}" ]
  remoteControl "{plugin}"
  children [
{motors}  ]
}}
"""
PYTHON = """
import math, os, sys
from controller import Robot
robot = Robot()
print("pid", os.getpid(), flush=True)
if "remote" not in sys.argv:
    robot.setMode(2, sys.argv[1])
motor = robot.getDevice("NAME")
motor.setPosition(math.inf)
motor.setVelocity(3.0)
while robot.step(32) != -1:
    pass
"""
C = """
#include <math.h>
#include <stdio.h>
#include <unistd.h>
#include <webots/motor.h>
#include <webots/robot.h>
int main(int argc, char **argv) {
  wb_robot_init();
  printf("pid %d\\n", (int)getpid());
  if (argc < 3) wb_robot_set_mode(WB_MODE_REMOTE_CONTROL, argv[1]);
  const WbDeviceTag motor = wb_robot_get_device("NAME");
  wb_motor_set_position(motor, INFINITY);
  wb_motor_set_velocity(motor, 3.0);
  while (wb_robot_step(32) != -1) {
  }
  wb_robot_cleanup();
  return 0;
}
"""
SOURCES = {"python": (".py", PYTHON), "c": (".c", C)}
WAYS = {
    "remote": ["remote", "--quiet"],
    "run": ["run", "--mode", "realtime", "--quiet"],
    "inline": ["run", "--mode", "realtime", "--inline", "--quiet"],
}
"""Options of the command that starts the controller."""


class Death(NamedTuple):
    """What dies, and how."""

    plugin: str
    language: str
    way: str
    """See `WAYS`."""
    victim: str
    """controller, guard, gateway (not in Python), or simulator: the process of the command."""
    signal: str

    def __str__(self) -> str:
        return "-".join(self)


def deaths() -> list[Death]:
    """All deaths that are tried."""
    epuck = [
        Death("epuck", language, way, victim, name)
        for language in SOURCES
        for way in ("remote", "run")
        for victim in ("controller", "guard", "simulator", *(["gateway"] if language == "c" else []))
        for name in ("KILL", "STOP", "TERM")
    ]
    inline = [Death("epuck", "python", "inline", victim, "KILL") for victim in ("simulator", "guard")]
    stopped = [Death("epuck", "python", "inline", victim, "STOP") for victim in ("simulator", "guard")]
    others = [
        Death(plugin, "python", "remote", "controller", name)
        for plugin in ("create2", "firmata")
        for name in ("KILL", "STOP")
    ]
    return [*epuck, *inline, *stopped, *others]


class Drive:
    """A controller that drives an emulated robot."""

    def __init__(self, death: Death, folder: Path, robot: Serving) -> None:
        self._death, self._robot = death, robot
        world = write_project(death, folder, robot.url)
        command = [sys.executable, "-m", "wbridge", WAYS[death.way][0], str(world), *WAYS[death.way][1:]]
        if death.way == "remote":
            command += ["--url", robot.url]
        environment = {name: value for name, value in os.environ.items() if name != "WBRIDGE_REMOTE_GUARD"}
        output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        self.process: subprocess.Popen[str] = subprocess.Popen(
            command, cwd=CHECKOUT, env=environment, **output
        )
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        wait_for(lambda: self.is_driving() or self.process.poll() is not None)
        assert self.is_driving(), self.lines

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            self.lines += lines

    def is_driving(self) -> bool:
        """The robot's left wheel turns."""
        state = self._robot.robot.state()
        return state.get("D5" if self._death.plugin == "firmata" else "left", 0.0) != 0.0

    def pids(self) -> dict[str, int]:
        """The processes."""
        started = _descendants(self.process.pid)
        (guard,) = filter(_is_guard, started)
        gateways = [pid for pid in started if _is_gateway(pid) and pid != guard]
        controllers = [pid for pid in started if not _is_gateway(pid) and _is_controller(pid)]
        named = {"gateway": gateways, "controller": controllers}
        return {"simulator": self.process.pid, "guard": guard} | {
            name: pids[-1] for name, pids in named.items() if pids
        }

    def end(self) -> str:
        """Kill everything that remains; what was printed."""
        for pid in [*_descendants(self.process.pid), self.process.pid]:
            _kill(pid, signal.SIGKILL)
        self.process.wait()
        self._reader.join()
        return "".join(self.lines)


def _kill(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


def _read_process(pid: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""


def _is_gateway(pid: int) -> bool:
    return b"gateway_start" in _read_process(pid, "cmdline")


def _is_guard(pid: int) -> bool:
    return _is_gateway(pid) and _read_process(pid, "cmdline").endswith(b"\0guard\0")


def _is_controller(pid: int) -> bool:
    words = _read_process(pid, "cmdline").split(b"\0")
    return any(Path(word.decode()).stem == "go" for word in words if word)


def _descendants(pid: int) -> list[int]:
    """Processes that a process has started, directly or not; a guard is in a session of its own."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (stat := _read_process(int(entry.name), "stat")):
            parents[int(entry.name)] = int(stat.rpartition(b")")[2].split()[1])
    found, rest = [], [pid]
    while rest:
        children = [child for child, parent in parents.items() if parent == rest[0]]
        found, rest = [*found, *children], [*rest[1:], *children]
    return found


def write_project(death: Death, folder: Path, url: str) -> Path:
    """Write a project with a controller; returns its world."""
    suffix, source = SOURCES[death.language]
    place = folder / "controllers" / "go"
    place.mkdir(parents=True)
    (place / f"go{suffix}").write_text(source.replace("NAME", LEFT[death.plugin]))
    motors = MOTOR.format(name=LEFT[death.plugin])
    motors += MOTOR.format(name=LEFT[death.plugin].replace("left", "right"))
    arguments = f'{url}" "remote' if death.way == "remote" else url
    world = folder / "worlds" / "rover.wbt"
    world.parent.mkdir()
    world.write_text(WORLD.format(url=arguments, plugin=death.plugin, motors=motors))
    world.with_name("rover.pins.toml").write_text(test_firmata.PINS.partition("[devices.arm]")[0])
    return world


@contextmanager
def driving(death: Death, folder: Path) -> Iterator[Drive]:
    """A robot that drives until something dies."""
    with serving(emulator(death.plugin)) as robot:
        drive = Drive(death, folder, robot)
        try:
            yield drive
        finally:
            drive.end()


def time_to_stop(death: Death, folder: Path) -> float:
    """Let something die; the time in s until the motors stand.

    Raises:
        AssertionError: the robot drives on.
    """
    with driving(death, folder) as drive:
        pid = drive.pids()[death.victim]
        start = time.monotonic()
        os.kill(pid, getattr(signal, f"SIG{death.signal}"))
        wait_for(lambda: not drive.is_driving())
        return time.monotonic() - start


def main(wanted: str = "") -> None:
    """Print the table, or the rows that contain a text."""
    for death in deaths():
        if wanted not in str(death):
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                print(f"{death!s:45} {1000 * time_to_stop(death, Path(folder)):6.0f} ms", flush=True)
            except AssertionError as problem:
                print(f"{death!s:45} DRIVES ON {problem}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
