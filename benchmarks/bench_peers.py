"""Time of e-pucks with infra-red sensors, compared with PyBullet and MuJoCo in the same process.

They have the same bodies, wheels and rays, but only the bounding objects; rays return distances without
color.
Install them with `pip install pybullet mujoco`; without them these cases are absent.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

from benchmarks.bench_robots import SPEEDS, beside, crowd
from benchmarks.case import Case, Reading, Unavailable
from wbridge.wbcore.devices.distance_sensor import DistanceSensor
from wbridge.wbcore.physics.pose import Vec3
from wbridge.wbcore.robots.robot import Robot
from wbridge.wbcore.simulation import Simulation

COUNT, STEPS, ROUNDS = 20, 40, 11
RANGE_M = 0.07
WHEEL = 0.02, 0.005
"""Radius and width (m) of a wheel."""
MASSES = 0.15, 0.005
"""Mass (kg) of the body and of a wheel."""


class Ray(NamedTuple):
    """A ray in the frame of its robot."""

    origin: Vec3
    direction: Vec3


def rays_of(robot: Robot) -> list[Ray]:
    """The rays of the infra-red sensors."""
    sensors = [one for one in robot.devices if isinstance(one, DistanceSensor)]
    mounts = [one.mount.inner for one in sensors[:8]]
    return [Ray(one.position, one.direction((1.0, 0.0, 0.0))) for one in mounts]


def end_of(ray: Ray) -> Vec3:
    """Where a ray ends."""
    x, y, z = (a + RANGE_M * b for a, b in zip(ray.origin, ray.direction, strict=True))
    return (x, y, z)


def boxes_of(simulation: Simulation) -> Iterator[tuple[Vec3, Vec3]]:
    """Size and position of the walls and boxes."""
    engine = simulation.physics.engine
    for geom in map(engine.geom, range(engine.geom_count)):
        if geom.shape.kind == "box" and (geom.body is None or geom.body.kind == "frame"):
            yield geom.shape.size, geom.position


def module(name: str) -> Any:
    """A peer's module.

    Raises:
        Unavailable: it is not installed.
    """
    try:
        return import_module(name)
    except ImportError:
        raise Unavailable(f"{name} is not installed") from None


def pybullet_loop(simulation: Simulation) -> Callable[[int], float]:
    """PyBullet: one call for the step, and one per robot for its rays."""
    p = module("pybullet")
    if not p.isConnected():
        p.connect(p.DIRECT)
    p.resetSimulation()
    p.setGravity(0, 0, -9.81)
    p.setTimeStep(simulation.step_s)
    p.createMultiBody(0, p.createCollisionShape(p.GEOM_PLANE))
    for size, place in boxes_of(simulation):
        half = [one / 2 for one in size]
        p.createMultiBody(0, p.createCollisionShape(p.GEOM_BOX, halfExtents=half), basePosition=place)
    body = p.createCollisionShape(p.GEOM_CYLINDER, radius=0.037, height=0.045)
    wheel = p.createCollisionShape(p.GEOM_CYLINDER, radius=WHEEL[0], height=WHEEL[1])
    turned = p.getQuaternionFromEuler((1.5707963, 0, 0))
    made = []
    for robot in simulation.robots:
        x, y, _ = robot.node.get("translation")
        number = p.createMultiBody(
            MASSES[0], body, basePosition=(x, y, 0.025), linkMasses=[MASSES[1]] * 2,
            linkCollisionShapeIndices=[wheel] * 2, linkVisualShapeIndices=[-1] * 2,
            linkPositions=[(0, 0.026, -0.005), (0, -0.026, -0.005)], linkOrientations=[turned] * 2,
            linkInertialFramePositions=[(0, 0, 0)] * 2, linkInertialFrameOrientations=[(0, 0, 0, 1)] * 2,
            linkParentIndices=[0, 0], linkJointTypes=[p.JOINT_REVOLUTE] * 2, linkJointAxis=[(0, 0, 1)] * 2,
        )  # fmt: skip
        p.setJointMotorControlArray(number, [0, 1], p.VELOCITY_CONTROL, targetVelocities=SPEEDS)
        rays = rays_of(robot)
        made.append((number, [one.origin for one in rays], [end_of(one) for one in rays]))

    def run(steps: int) -> float:
        start = time.perf_counter()
        for _ in range(steps):
            p.stepSimulation()
            for number, origins, ends in made:
                p.rayTestBatch(origins, ends, parentObjectUniqueId=number, parentLinkIndex=-1)
        return time.perf_counter() - start

    return run


def mujoco_model(simulation: Simulation) -> str:
    """The scene in MuJoCo's format, with a rangefinder for each sensor."""

    def numbers(values: Vec3) -> str:
        return " ".join(f"{one:.9g}" for one in values)

    boxes = "".join(
        f'<geom type="box" size="{numbers((x / 2, y / 2, z / 2))}" pos="{numbers(place)}"/>'
        for (x, y, z), place in boxes_of(simulation)
    )
    bodies = motors = sensors = ""
    for robot in simulation.robots:
        n = robot.number
        x, y, _ = robot.node.get("translation")
        wheels = sites = ""
        for side in (1, -1):
            name = f"w{n}_{side}"
            wheels += (
                f'<body pos="0 {0.026 * side} -0.005"><joint name="{name}" axis="0 1 0" armature="1e-5"/>'
                f'<geom type="cylinder" size="{WHEEL[0]} {WHEEL[1] / 2}" euler="90 0 0" mass="{MASSES[1]}"/>'
                "</body>"
            )
            motors += f'<velocity joint="{name}" kv="0.001"/>'
        for i, ray in enumerate(rays_of(robot)):
            sites += f'<site name="s{n}_{i}" pos="{numbers(ray.origin)}" zaxis="{numbers(ray.direction)}"/>'
            sensors += f'<rangefinder site="s{n}_{i}" cutoff="{RANGE_M}"/>'
        bodies += (
            f'<body pos="{x} {y} 0.025"><freejoint/>'
            f'<geom type="cylinder" size="0.037 0.0225" mass="{MASSES[0]}"/>{wheels}{sites}</body>'
        )
    return (
        f'<mujoco><option timestep="{simulation.step_s}" integrator="implicitfast"/><worldbody>'
        f'<geom type="plane" size="50 50 1"/>{boxes}'
        f"{bodies}</worldbody><actuator>{motors}</actuator><sensor>{sensors}</sensor></mujoco>"
    )


def mujoco_loop(simulation: Simulation) -> Callable[[int], float]:
    """MuJoCo: one call a step, rangefinders included."""
    mujoco = module("mujoco")
    model = mujoco.MjModel.from_xml_string(mujoco_model(simulation))
    data = mujoco.MjData(model)
    data.ctrl[:] = SPEEDS * len(simulation.robots)

    def run(steps: int) -> float:
        start = time.perf_counter()
        for _ in range(steps):
            mujoco.mj_step(model, data)
        return time.perf_counter() - start

    return run


def beside_peer(make: Callable[[Simulation], Callable[[int], float]]) -> Reading:
    """Microseconds of a step with inline controllers, and of one of a peer."""
    return beside(partial(crowd, COUNT), make(Simulation(crowd(COUNT))), STEPS, ROUNDS)


def cases() -> list[Case]:
    """Twenty e-pucks with their controllers, relative to the peers' loops without controllers."""
    title = "step of 20 e-pucks with 160 sensors and controllers"
    return [
        Case(f"{title}, beside PyBullet", partial(beside_peer, pybullet_loop), 0.35, "us", "PyBullet"),
        Case(f"{title}, beside MuJoCo", partial(beside_peer, mujoco_loop), 3.5, "us", "MuJoCo"),
    ]
