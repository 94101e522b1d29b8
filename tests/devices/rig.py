"""Robots of a small world driven in this process by the real client, packet by packet, in lockstep."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Any
from weakref import finalize, ref

from tests.local_packets import LocalPackets
from wbridge.hal.client import native, session
from wbridge.hal.client.native import NativeRobot
from wbridge.hal.connection.sockets import ConnectionLost
from wbridge.hal.protocol.codec import Command
from wbridge.hal.protocol.dialect import R2025A, Dialect
from wbridge.hal.protocol.packet import GOOD_BYE, read_request, write_answer, write_request
from wbridge.hal.protocol.supervisor import robot_codec
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
        self.commands: list[Command] = []
        """What the robot's controller has asked and commanded for itself, since the first request."""
        self.more: dict[int, bytearray] = {}
        """Commands, by tag, that the next request has in addition."""
        self.codec = robot_codec(dialect)
        self._rig = rig
        self._packets = LocalPackets(tcp)
        self._answers: deque[bytes] = deque()
        rig.lockstep.session(robot).connect(self.exchange, self.put)

    def put(self, data: bytes) -> None:
        """Take bytes of the simulator."""
        self._answers += self._packets.feed(data)

    def send(self, packet: bytes) -> None:
        """Give a request to the simulator."""
        if packet == GOOD_BYE:
            return
        request = read_request(packet)
        blocks = dict(request.blocks)
        self.commands += self.codec.read_commands(blocks.get(0, b""))
        if self.more:
            for tag, data in self.more.items():
                blocks[tag] = blocks.get(tag, b"") + data
            packet = write_request(request.duration, blocks.items())
            self.more = {}
        self.put(self.exchange.feed(packet))

    def receive(self) -> bytes:
        """The next answer; steps are made until it is there."""
        while not self._answers:
            if tell_events(self._rig.lockstep.sessions) is not None or self._answers:
                continue
            if not self._rig.lockstep.is_ready:
                waiting = [one.robot.name for one in self._rig.lockstep.awaited()]
                raise ConnectionLost(f"nobody else steps the robots {waiting}: use step_begin first")
            self._rig.lockstep.step()
        return self._answers.popleft()


class Plug:
    """The client's end of a cable, which does not keep the simulation alive."""

    def __init__(self, cable: Cable) -> None:
        self._cable = ref(cable)

    def send(self, packet: bytes) -> None:
        """Give a request to the simulator, if there is one."""
        cable = self._cable()
        if cable is not None:
            cable.send(packet)

    def receive(self) -> bytes:
        """The next answer; an empty one if the simulation is gone."""
        cable = self._cable()
        return write_answer(0, b"") if cable is None else cable.receive()

    def close(self) -> None:
        """Nothing is open."""


_gone: list[dict[str, NativeRobot]] = []
"""The clients of rigs that were freed. A client ends between calls, not whenever memory is collected."""


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
        while _gone:
            for client in _gone.pop().values():
                client.cleanup()
        world = load_text(header + text, str(path))
        assert world.report.errors == [], [str(one) for one in world.report.errors]
        self.simulation = Simulation(world, seed)
        self.lockstep = Lockstep(self.simulation)
        self.said: list[str] = []
        self.simulation.console = lambda robot, line, is_error: self.said.append(line)
        self._dialect, self._tcp = dialect, tcp
        self._clients: dict[str, NativeRobot] = {}
        self._cables: dict[str, Cable] = {}
        finalize(self, _gone.append, self._clients)
        self.robot = self.simulation.robots.list[0]
        self.client = self.connect(self.robot.name)

    def connect(self, name: str) -> NativeRobot:
        """The client of a robot; it is connected when first asked for."""
        if name not in self._clients:
            robot = self.simulation.robots.find(name)
            assert robot is not None, name
            former, _ = session.activate(None)
            self._cables[name] = Cable(self, robot, self._dialect, self._tcp)
            self._clients[name] = native.attach(Plug(self._cables[name]))
            session.activate(former)
        return self._clients[name]

    @property
    def cable(self) -> Cable:
        """The connection of the first robot's client."""
        return self._cables[self.robot.name]

    def queue(self, code: int, *values: Any) -> None:
        """Let the next request of the first robot have a command that its controller did not give."""
        self.cable.codec.write_command(self.cable.more.setdefault(0, bytearray()), code, values)

    def queue_for(self, name: str, command: str, *values: Any) -> None:
        """The same for one of its devices."""
        codec = self.model(name).codec
        more = self.cable.more.setdefault(self[name].tag, bytearray())
        codec.write_command(more, codec.command_codes[command], values)

    def asked(self, name: str) -> int:
        """How many commands with a name the first robot's controller has sent."""
        return sum(command.name == name for command in self.cable.commands)

    def __getitem__(self, name: str) -> Any:
        return self.of(self.client, name)

    def of(self, client: NativeRobot, name: str) -> Any:
        """The client's device with a name."""
        found = next((one for one in client.devices if one and one.name == name), None)
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
            self.client.get_mode()  # functions mean the first robot again
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
