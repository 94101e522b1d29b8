"""Robots of a small world driven in this process by the real client, packet by packet, in lockstep."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Any

from wbridge.hal.connection.sockets import ConnectionLost
from wbridge.hal.modes.device import DeviceHandle
from wbridge.hal.modes.robot import RobotHandle
from wbridge.hal.protocol.dialect import R2025A, Dialect
from wbridge.hal.protocol.packet import Answer, AnswerReader
from wbridge.wbcore.controllers.exchange import ControllerExchange
from wbridge.wbcore.controllers.lockstep import Lockstep
from wbridge.wbcore.controllers.user_events import tell_events
from wbridge.wbcore.devices import Device
from wbridge.wbcore.robots.robot import Robot
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.simulation import Simulation

NEW = "#VRML_SIM R2023b utf8\n"
OLD = "#VRML_SIM R2020a utf8\n"
"""The last release with y up by default."""
OLDEST = "#VRML_SIM V8.3.1 utf8\n"
STEP_MS = 16


class Cable:
    """A connection of the client that makes the simulation step while an answer is awaited."""

    def __init__(self, rig: Rig, robot: Robot, dialect: Dialect, tcp: bool) -> None:
        self.exchange = ControllerExchange(robot, tcp=tcp, dialect=dialect)
        self._rig = rig
        self._reader = AnswerReader(tcp)
        self._answers: deque[Answer] = deque()
        rig.lockstep.session(robot).connect(self.exchange, self.put)

    def put(self, data: bytes) -> None:
        """Take bytes of the simulator."""
        self._answers += self._reader.feed(data)

    def send(self, packet: bytes) -> None:
        """Give a request to the simulator."""
        self.put(self.exchange.feed(packet))

    def receive(self) -> Answer:
        """The next answer; steps are made until it is there."""
        while not self._answers:
            if tell_events(self._rig.lockstep.sessions) is not None or self._answers:
                continue
            if not self._rig.lockstep.is_ready:
                waiting = [one.robot.name for one in self._rig.lockstep.awaited()]
                raise ConnectionLost(f"nobody else steps the robots {waiting}: use step_begin first")
            self._rig.lockstep.step()
        return self._answers.popleft()

    def close(self) -> None:
        """Nothing is open."""


class Rig:
    """A simulation and a client for each robot that is asked for.

    `rig["ds"]` is the client's device of the first robot, `rig.model("ds")` the simulator's end of it;
    `rig.step()` lets the first robot's controller make a basic time step.
    """

    def __init__(
        self,
        text: str,
        header: str = NEW,
        path: str | Path = "test.wbt",
        seed: int | None = None,
        dialect: Dialect = R2025A,
        tcp: bool = False,
    ) -> None:
        world = load_text(header + text, str(path))
        assert world.report.errors == [], [str(one) for one in world.report.errors]
        self.simulation = Simulation(world, seed)
        self.lockstep = Lockstep(self.simulation)
        self.said: list[str] = []
        self.simulation.console = lambda robot, line, is_error: self.said.append(line)
        self._dialect, self._tcp = dialect, tcp
        self._clients: dict[str, RobotHandle] = {}
        self.robot = self.simulation.robots.list[0]
        self.client = self.connect(self.robot.name)

    def connect(self, name: str) -> RobotHandle:
        """The client of a robot; it is connected when first asked for."""
        if name not in self._clients:
            robot = self.simulation.robots.find(name)
            assert robot is not None, name
            made = RobotHandle(Cable(self, robot, self._dialect, self._tcp))
            made.start()
            self._clients[name] = made
        return self._clients[name]

    def __getitem__(self, name: str) -> Any:
        return self.of(self.client, name)

    def of(self, client: RobotHandle, name: str) -> Any:
        """The client's device with a name."""
        found: DeviceHandle | None = next((one for one in client.devices if one and one.name == name), None)
        assert found is not None, name
        return found

    def model(self, name: str, robot: str = "") -> Any:
        """The simulator's end of a device."""
        owner = self.simulation.robots.find(robot) if robot else self.robot
        assert owner is not None
        found: Device | None = owner.device(name)
        assert found is not None, name
        return found

    def node(self, def_name: str) -> Node:
        """The node with a DEF name."""
        return self.simulation.node(def_name).node

    def set(self, def_name: str, field: str, value: Any) -> None:
        """Set a field of a node while the simulation runs."""
        self.simulation.set_field(self.node(def_name), field, value)

    @property
    def period(self) -> int:
        """The basic time step in ms."""
        return round(self.simulation.step_s * 1000)

    def enable(self, *names: str, period: int = 0) -> None:
        """Enable sensors; without a period with the basic time step."""
        for name in names:
            self[name].enable(period or self.period)

    def step(self, steps: int = 1) -> int:
        """Let all connected controllers make steps of one basic time step; what the first one's returns."""
        result = 0
        for _ in range(steps):
            others = [one for one in self._clients.values() if one is not self.client]
            for one in others:
                one.step_begin(self.period)
            result = self.client.step(self.period)
            for one in others:
                one.step_end()
        return result

    def value(self, name: str) -> Any:
        """What a device of one value reads after it was enabled and one step was made."""
        self.enable(name)
        self.step()
        return self[name].get_value()


def world(robots: str, around: str = "", info: str = "") -> str:
    """A world without gravity's sleep: settings, what stands around, and robots."""
    return (
        f"WorldInfo {{ basicTimeStep {STEP_MS} physicsDisableTime 0 {info} }}\n"
        f"Viewpoint {{ }}\n{around}\n{robots}\n"
    )


def robot(children: str, fields: str = "", name: str = "robot") -> str:
    """A robot that stands in the air with devices."""
    return (
        f'DEF {name.upper()} Robot {{ name "{name}" controller "<extern>" {fields} '
        f"children [ {children} ] }}\n"
    )


def rig(children: str, around: str = "", fields: str = "", info: str = "", **options: Any) -> Rig:
    """One robot with devices, and what stands around it."""
    return Rig(world(robot(children, fields), around, info), **options)
