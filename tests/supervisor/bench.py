"""A supervisor at work: a world's text, the object API of its controller, and the simulation behind it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.devices.rig import NEW, STEP_MS, Rig
from wbridge.hal.client import session
from wbridge.hal.controller import Supervisor
from wbridge.wbcore.robots.robot import Robot
from wbridge.wbcore.robots.simulation_host import StandaloneHost

SUPERVISOR = (
    'DEF BOSS Robot { name "boss" controller "<extern>" supervisor TRUE customData "hello" children [ '
    'DistanceSensor { name "eye" } DEF CAM Camera { name "cam" } ] }\n'
)
BALL = (
    'DEF BALL Solid { translation 1 2 3 name "ball" children [ DEF LOOK Shape { appearance DEF COLOR '
    "PBRAppearance { baseColor 1 0 0 } geometry DEF ROUND Sphere { radius 0.1 } } ] "
    "boundingObject Sphere { radius 0.1 } physics DEF MASS Physics { density -1 mass 2 } }\n"
)
FLOOR = 'DEF FLOOR Solid { name "floor" boundingObject Box { size 10 10 0.2 } translation 0 0 -0.1 }\n'
ARM = (
    'DEF ARM Robot { name "arm" controller "<none>" children [ DEF HINGE HingeJoint { jointParameters '
    'DEF TURN HingeJointParameters { axis 0 0 1 } device [ RotationalMotor { name "motor" } ] endPoint '
    'DEF LINK Solid { translation 0.5 0 1 name "link" boundingObject Box { size 1 0.1 0.1 } '
    "physics Physics { density -1 mass 1 } } } ] }\n"
)


class RobotsHost(StandaloneHost):
    """Notes requests, and gives new robots a session."""

    def __init__(self, rig: Rig) -> None:
        super().__init__()
        self._rig = rig
        self.added: list[str] = []
        self.removed: list[str] = []
        self.resets = 0

    def was_reset(self) -> None:
        """Let links count from 0 again."""
        self.resets += 1
        self._rig.lockstep.restart_time()

    def robot_added(self, robot: Robot) -> None:
        """A session for a new robot."""
        self.added.append(robot.name)
        self._rig.lockstep.add(robot)

    def robot_removed(self, robot: Robot) -> None:
        """No session for a robot that is gone."""
        self.removed.append(robot.name)
        self._rig.lockstep.remove(self._rig.lockstep.session(robot))


class Bench(Rig):
    """A rig whose first robot is a supervisor: `bench.api` is its object API."""

    def __init__(
        self,
        around: str = "",
        info: str = "",
        header: str = NEW,
        path: str | Path = "test.wbt",
        **options: Any,
    ) -> None:
        start = (
            f"WorldInfo {{ basicTimeStep {STEP_MS} physicsDisableTime 0 {info} }}\nDEF VIEW Viewpoint {{ }}\n"
        )
        super().__init__(start + SUPERVISOR + around, header, path, **options)
        self.host = RobotsHost(self)
        self.simulation.host = self.host
        session.activate(self.client)
        self.api: Any = Supervisor()

    def tick(self, count: int = 1) -> int:
        """Let the supervisor make basic time steps."""
        result = 0
        for _ in range(count):
            result = self.api.step(STEP_MS)
        return result

    def get(self, def_name: str, field: str) -> Any:
        """The API's field of a node."""
        return self.api.getFromDef(def_name).getField(field)

    @property
    def warnings(self) -> list[str]:
        """What the supervisor was warned of, once each."""
        return sorted(self.robot.warned)
