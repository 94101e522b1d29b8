"""The tossed cube in wbridge, MuJoCo and PyBullet: each simulates a toss with given parameters."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple, Protocol

import numpy as np

from scripts.reality.tosses import GRAVITY, HALF_WIDTH, INERTIA, MASS, STEP, WIDTH, Toss, Values, distances
from wbridge.wbcore.engine import ContactProperties, Mass, Shape, World

PARTS = 4
"""Steps of a simulator in the time between two frames of a recording (1/148 s)."""
TABLE = 5.0
"""Half the size of the table of simulators that have it as a box (m)."""


class Range(NamedTuple):
    """A parameter to fit: its range, and where the search starts."""

    name: str
    low: float
    high: float
    start: float


SHARE_OF_INERTIA = Range("inertia", 0.84, 1.39, 1)
"""The cube's moment of inertia, as a share of the data set's estimate: from that of a solid cube to that of
thin walls with the same mass."""


class Cube(Protocol):
    """A simulator of tosses."""

    name: str
    ranges: Sequence[Range]

    def set(self, values: Sequence[float]) -> None:
        """Take values of the parameters, in the order of `ranges`."""

    def toss(self, toss: Toss) -> tuple[Values, Values]:
        """Simulate a toss; return positions (n, 3) and orientations (n, 4) of all frames."""


class WbridgeCube:
    """The engine of wbridge."""

    def __init__(self, contacts: str = "webots") -> None:
        self.name = f"wbridge, {contacts}"
        self.ranges: Sequence[Range] = [
            SHARE_OF_INERTIA,
            Range("coulombFriction", 0.1, 0.3, 0.18),
            Range("bounce", 0, 0.3, 0.1),
        ]
        if contacts == "webots":
            self.ranges = [
                *self.ranges,
                Range("softCFM", 1e-6, 0.01, 0.001),
                Range("softERP", 0.05, 0.9, 0.2),
            ]
        self._world = World(dt=STEP / PARTS, gravity=(0, 0, -GRAVITY), contacts=contacts)
        self._world.add_geom(Shape.plane())
        self._body = self._world.add_body(_mass(1))
        self._world.add_geom(Shape.box((WIDTH,) * 3), self._body)

    def set(self, values: Sequence[float]) -> None:
        share, friction, bounce = values[:3]
        self._body.mass = _mass(share)
        cfm, erp = values[3:] or (0.001, 0.2)  # the law "precise" has hard contacts
        properties = ContactProperties([friction], bounce=bounce, soft_cfm=cfm, soft_erp=erp)
        self._world.set_contact_properties(0, 0, properties)

    def toss(self, toss: Toss) -> tuple[Values, Values]:
        self._body.set_pose(toss.positions[0].tolist(), toss.orientations[0].tolist())
        self._body.linear_velocity = toss.velocity.tolist()
        self._body.angular_velocity = toss.spin.tolist()
        frames = []
        for _ in toss.positions:
            frames.append((*self._body.position, *self._body.orientation))
            self._world.step(PARTS)
        return _split(frames)


def _mass(share_of_inertia: float) -> Mass:
    return Mass.of(MASS, (0, 0, 0), np.diag([share_of_inertia * INERTIA] * 3).ravel().tolist())


class MujocoCube:
    """MuJoCo with elliptic friction cones."""

    name = "MuJoCo"
    ranges: Sequence[Range] = (
        SHARE_OF_INERTIA,
        Range("friction", 0.1, 0.3, 0.18),
        Range("time constant", 0.004, 0.06, 0.02),
        Range("damping ratio", 0.05, 1.5, 1),
        Range("impedance", 0.5, 0.99, 0.9),
    )

    def __init__(self) -> None:
        self._mujoco = mujoco = import_module("mujoco")
        moment = " ".join([str(INERTIA)] * 3)
        self._model = mujoco.MjModel.from_xml_string(f"""
            <mujoco>
              <option timestep="{STEP / PARTS}" gravity="0 0 {-GRAVITY}" cone="elliptic"/>
              <worldbody>
                <geom name="table" type="plane" size="0 0 1"/>
                <body>
                  <freejoint/>
                  <inertial pos="0 0 0" mass="{MASS}" diaginertia="{moment}"/>
                  <geom type="box" size="{HALF_WIDTH} {HALF_WIDTH} {HALF_WIDTH}"/>
                </body>
              </worldbody>
            </mujoco>""")
        self._data = mujoco.MjData(self._model)

    def set(self, values: Sequence[float]) -> None:
        share, friction, time, damping, impedance = values
        self._model.body_inertia[1] = share * INERTIA
        self._mujoco.mj_setConst(self._model, self._data)
        self._model.geom_friction[:, 0] = friction
        self._model.geom_solref[:] = time, damping
        self._model.geom_solimp[:, 0] = impedance

    def toss(self, toss: Toss) -> tuple[Values, Values]:
        model, data = self._model, self._data
        self._mujoco.mj_resetData(model, data)
        data.qpos[:] = *toss.positions[0], *toss.orientations[0]
        # the spin of a free joint is in the axes of the body
        rotation = np.zeros(9)
        self._mujoco.mju_quat2Mat(rotation, toss.orientations[0])
        data.qvel[:] = *toss.velocity, *(rotation.reshape(3, 3).T @ toss.spin)
        frames = []
        for _ in toss.positions:
            frames.append(data.qpos.copy())
            self._mujoco.mj_step(model, data, PARTS)
        return _split(frames)


class BulletCube:
    """PyBullet."""

    name = "PyBullet"
    ranges: Sequence[Range] = (
        SHARE_OF_INERTIA,
        Range("lateralFriction", 0.1, 0.3, 0.18),
        Range("restitution", 0, 0.3, 0.1),
        Range("spinningFriction", 0, 0.02, 0),
        Range("rollingFriction", 0, 0.02, 0),
    )

    def __init__(self) -> None:
        self._bullet = pybullet = import_module("pybullet")
        self._client = pybullet.connect(pybullet.DIRECT)
        pybullet.setTimeStep(STEP / PARTS)
        pybullet.setGravity(0, 0, -GRAVITY)
        # its plane has a margin of some centimeters, on which the cube rests
        table = pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=[TABLE] * 3)
        box = pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=[HALF_WIDTH] * 3)
        self._table = pybullet.createMultiBody(0, table, basePosition=(0, 0, -TABLE))
        self._cube = pybullet.createMultiBody(MASS, box)
        pybullet.changeDynamics(
            self._cube, -1, localInertiaDiagonal=[INERTIA] * 3, linearDamping=0, angularDamping=0
        )

    def set(self, values: Sequence[float]) -> None:
        share, friction, restitution, spinning, rolling = values
        self._bullet.changeDynamics(self._cube, -1, localInertiaDiagonal=[share * INERTIA] * 3)
        for body in (self._table, self._cube):
            # PyBullet multiplies frictions and restitutions of both, and a rolling or spinning friction
            # with the friction of the other body
            self._bullet.changeDynamics(
                body,
                -1,
                lateralFriction=friction if body == self._cube else 1,
                restitution=restitution if body == self._cube else 1,
                spinningFriction=spinning if body == self._cube else 0,
                rollingFriction=rolling if body == self._cube else 0,
            )

    def toss(self, toss: Toss) -> tuple[Values, Values]:
        w, x, y, z = toss.orientations[0]
        bullet, cube = self._bullet, self._cube
        bullet.resetBasePositionAndOrientation(cube, toss.positions[0], (x, y, z, w))
        bullet.resetBaseVelocity(cube, toss.velocity, toss.spin)
        frames = []
        for _ in toss.positions:
            position, (x, y, z, w) = bullet.getBasePositionAndOrientation(cube)
            frames.append((*position, w, x, y, z))
            for _ in range(PARTS):
                bullet.stepSimulation()
        return _split(frames)


def _split(frames: Sequence[Sequence[float]]) -> tuple[Values, Values]:
    rows = np.array(frames, float)
    return rows[:, :3], rows[:, 3:]


def errors(cube: Cube, values: Sequence[float], tosses: Sequence[Toss]) -> list[tuple[Values, Values]]:
    """Simulate tosses; return their distances from the recordings, frame by frame."""
    cube.set(values)
    return [distances(one, *cube.toss(one)) for one in tosses]
