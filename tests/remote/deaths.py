"""Robots whose controller, guard, simulator, wire, broker, window or page dies while they drive.

    python -m tests.remote.deaths [TEXT]

prints the time in ms until the motors stand, for each death, or for those whose name contains TEXT. Rows of
robots without a watchdog that nothing can stop are those that a run names at its start
(`wbridge.remote_controls.common.unstoppable`).
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

from tests.conftest import CHECKOUT
from tests.remote import board_deaths, link_robots, test_firmata, window_deaths
from tests.remote.board_robot import BoardRobot
from tests.remote.emulated import Serving, serving
from tests.remote.link_robots import WIRES, LinkRobot, link_robot
from tests.waiting import wait_for
from wbridge.remote_controls.common.unstoppable import UNSTOPPABLE
from wbridge.remote_controls.emulators import emulator
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.tables.device_tables import device_tables

LEFT = {"create2": "left wheel motor", "epuck": "left wheel motor", "firmata": "left motor"}
LEFT |= dict.fromkeys(WIRES, link_robots.MOTOR)
LONGEST_S = 0.6
"""Longest time until the motors stand, in s."""
WATCH_S = 2 * LONGEST_S
"""How long a robot is watched that nothing stops, in s."""
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
    """controller, guard, gateway, simulator: the process of the command; broker; wire; all:
    controller, gateway and guard at once; computer: these and the simulator."""
    signal: str
    """KILL, STOP, TERM, or "cut": nothing arrives any more."""

    @property
    def is_unstoppable(self) -> bool:
        """True if the robot has no watchdog and nothing else is left to stop it."""
        return self.plugin not in WIRES and self.victim in {event.victim for event in UNSTOPPABLE}

    def __str__(self) -> str:
        return "-".join(self)


def deaths() -> list[Death]:
    """All deaths that are tried."""
    epuck = [
        Death("epuck", language, way, victim, name)
        for language in SOURCES
        for way in ("remote", "run")
        for victim in ("controller", "guard", "simulator", "gateway")
        for name in ("KILL", "STOP", "TERM")
    ]
    inline = [Death("epuck", "python", "inline", victim, "KILL") for victim in ("simulator", "guard")]
    stopped = [Death("epuck", "python", "inline", victim, "STOP") for victim in ("simulator", "guard")]
    others = [
        Death(plugin, "python", "remote", "controller", name)
        for plugin in ("create2", "firmata")
        for name in ("KILL", "STOP")
    ]
    plugins = ("epuck", "create2", "firmata")
    unstoppable = [Death(name, "python", "remote", "wire", "cut") for name in plugins]
    unstoppable += [Death(name, "python", "remote", "all", "KILL") for name in plugins]
    unstoppable += [
        Death(name, "python", "remote", "gateway guard", number)
        for name in plugins
        for number in ("KILL", "STOP")
    ]
    unstoppable += [Death(name, "python", "remote", "computer", "STOP") for name in plugins]
    links = [
        Death(wire, "python", "remote", "controller", name)
        for wire in WIRES
        for name in ("KILL", "STOP", "TERM")
    ]
    links += [Death(wire, "python", "remote", "wire", "cut") for wire in WIRES]
    links += [Death(wire, "python", "remote", "computer", "STOP") for wire in WIRES]
    links += [Death("mqtt", "python", "remote", "broker", name) for name in ("KILL", "STOP")]
    links += [
        Death("serial", language, "run", victim, name)
        for language in SOURCES
        for victim in ("controller", "simulator")
        for name in ("KILL", "TERM")
    ]
    return [*epuck, *inline, *stopped, *others, *links, *unstoppable]


class NotDriving(Exception):
    """Raised if the robot has not begun to drive; the text is what was printed."""


class Drive:
    """A controller that drives an emulated robot."""

    def __init__(
        self, death: Death, world: Path, robot: Serving | LinkRobot | BoardRobot, **options: Any
    ) -> None:
        """Start it; `options` of `subprocess.Popen` replace those by which its lines are read."""
        self._death, self._robot = death, robot
        command = [sys.executable, "-m", "wbridge", WAYS[death.way][0], str(world), *WAYS[death.way][1:]]
        if death.way == "remote":
            command += ["--url", robot.url]
        environment = {name: value for name, value in os.environ.items() if name != "WBRIDGE_REMOTE_GUARD"}
        usual: dict[str, Any] = {"env": environment, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        self.process = subprocess.Popen(command, cwd=CHECKOUT, text=True, **usual | options)
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        try:
            wait_for(lambda: self.is_driving() or self.process.poll() is not None)
        except AssertionError:
            self.end()
        if not self.is_driving():
            raise NotDriving("".join(self.lines))

    def _read(self) -> None:
        with self.process.stdout or nullcontext() as lines:
            self.lines += lines or ()

    def is_driving(self) -> bool:
        """The robot's left wheel turns."""
        if not isinstance(self._robot, Serving):
            return self._robot.is_driving()
        state = self._robot.robot.state()
        return state.get("D5" if self._death.plugin == "firmata" else "left", 0.0) != 0.0

    def pids(self) -> dict[str, int]:
        """The processes."""
        return processes_of(self.process.pid)

    def die(self) -> None:
        """Let it happen."""
        death, robot = self._death, self._robot
        if death.victim == "wire":
            if isinstance(robot, Serving):
                robot.robot.receive = lambda data: b""  # type: ignore[method-assign]
            else:
                robot.cut()
            return
        if death.victim == "broker" and not isinstance(robot, Serving) and robot.broker is not None:
            victims = [robot.broker.pid]
        elif death.victim in ("all", "computer"):
            named = self.pids().items()
            victims = [pid for name, pid in named if death.victim == "computer" or name != "simulator"]
        else:
            victims = [self.pids()[name] for name in death.victim.split()]
        for pid in victims:
            _kill(pid, getattr(signal, f"SIG{death.signal}"))

    def end(self) -> str:
        """Kill everything that remains; what was printed."""
        kill_all(self.process.pid)
        self.process.wait()
        self._reader.join()
        return "".join(self.lines)


def processes_of(command: int) -> dict[str, int]:
    """The processes that a command has started to drive a robot; its own is named simulator."""
    started = _descendants(command)
    guards = [*filter(_is_guard, started)]
    gateways = [pid for pid in started if _is_gateway(pid) and pid not in guards]
    controllers = [pid for pid in started if not _is_gateway(pid) and _is_controller(pid)]
    named = {"gateway": gateways, "controller": controllers, "guard": guards}
    return {"simulator": command} | {name: pids[-1] for name, pids in named.items() if pids}


def kill_all(command: int) -> None:
    """Kill a command and all that it has started."""
    for pid in [*_descendants(command), command]:
        _kill(pid, signal.SIGKILL)


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
    return b"gateway.start" in _read_process(pid, "cmdline")


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
    descendants: list[int] = []
    rest = [pid]
    while rest:
        children = [child for child, parent in parents.items() if parent == rest[0]]
        descendants, rest = [*descendants, *children], [*rest[1:], *children]
    return descendants


def write_project(death: Death, folder: Path) -> Path:
    """Write a project without a controller; returns its world."""
    motors = MOTOR.format(name=LEFT[death.plugin])
    motors += MOTOR.format(name=LEFT[death.plugin].replace("left", "right"))
    world = folder / "worlds" / "rover.wbt"
    world.parent.mkdir(parents=True)
    plugin = "wblink" if death.plugin in WIRES else death.plugin
    world.write_text(WORLD.format(url="URL", plugin=plugin, motors=motors))
    world.with_name("rover.pins.toml").write_text(test_firmata.PINS.partition("[devices.arm]")[0])
    return world


def write_controller(death: Death, world: Path, url: str, source: str = "") -> None:
    """Write the controller of a project, and the URL in its world; `source` replaces the usual one."""
    suffix, usual = SOURCES[death.language]
    place = world.parent.parent / "controllers" / "go"
    place.mkdir(parents=True)
    (place / f"go{suffix}").write_text((source or usual).replace("NAME", LEFT[death.plugin]))
    arguments = f'{url}" "remote' if death.way == "remote" else url
    world.write_text(world.read_text().replace("URL", arguments))


@contextmanager
def robot_of(death: Death, world: Path) -> Iterator[Serving | LinkRobot | BoardRobot]:
    """The emulated robot of a project."""
    if death.plugin in WIRES:
        table = device_tables(load_world(world))[0]
        with link_robot(death.plugin, table, world.parent.parent) as link:
            yield link
    else:
        with serving(emulator(death.plugin)) as robot:
            yield robot


@contextmanager
def driving(death: Death, folder: Path) -> Iterator[Drive]:
    """A robot that drives until something dies."""
    world = write_project(death, folder)
    with robot_of(death, world) as robot:
        write_controller(death, world, robot.url)
        drive = Drive(death, world, robot)
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
        start = time.monotonic()
        drive.die()
        wait_for(lambda: not drive.is_driving())
        return time.monotonic() - start


def drives_on(death: Death, folder: Path) -> bool:
    """Let something die after which nothing can stop the robot; True if it drives on, as a run has said."""
    with driving(death, folder) as drive:
        drive.die()
        time.sleep(WATCH_S)
        assert any(
            event.text in "".join(drive.lines) for event in UNSTOPPABLE if event.victim == death.victim
        )
        return drive.is_driving()


def _print(name: str, seconds: float) -> None:
    verdict = "" if seconds <= LONGEST_S else f"  LATE: allowed {1000 * LONGEST_S:.0f} ms"
    print(f"{name:45}  {1000 * seconds:6.0f} ms{verdict}", flush=True)


def _row(death: Death, folder: Path) -> None:
    try:
        if death.is_unstoppable:
            result = "drives on, as the run has said" if drives_on(death, folder) else "stands"
            print(f"{death!s:45}  {result}", flush=True)
        else:
            _print(str(death), time_to_stop(death, folder))
    except AssertionError as problem:
        print(f"{death!s:45}  DRIVES ON {problem}", flush=True)
    except NotDriving as problem:
        print(f"{death!s:45}  NOT TRIED {problem}", flush=True)


def _timed_row(name: str, measure: Callable[[str], float]) -> None:
    try:
        _print(name, measure(name))
    except AssertionError as problem:
        print(f"{name:45}  DRIVES ON {problem}", flush=True)


def main(wanted: str = "") -> None:
    """Print the table, or the rows that contain a text."""
    for death in deaths():
        if wanted in str(death):
            with tempfile.TemporaryDirectory() as folder:
                _row(death, Path(folder))
    from tests.remote import fates

    for group in (fates, window_deaths, board_deaths):
        for name in group.names():
            if wanted in name:
                _timed_row(name, group.time_to_stop)


if __name__ == "__main__":
    main(*sys.argv[1:])
