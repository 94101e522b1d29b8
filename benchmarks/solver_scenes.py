"""Scenes that compare solvers: robots of many joints, loops and piles, for the engine and for MuJoCo."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from random import Random
from typing import NamedTuple

from wbridge.wbcore.engine import Body, Mass, Motor, Shape, World
from wbridge.wbcore.physics.pose import Vec3

STEP_S = 0.008
Y, Z = (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


class Part(NamedTuple):
    """A body with one shape; a box has three sizes (m), a cylinder or capsule a radius and a height."""

    kind: str
    size: tuple[float, ...]
    mass: float
    """kg"""
    position: Vec3
    pitch: float = 0.0
    """rad about y."""
    robot: int = 0
    """Parts of one robot do not collide; -1: no robot."""


class Hinge(NamedTuple):
    """A hinge with a motor between two parts; parent -1: the world."""

    child: int
    parent: int
    anchor: Vec3
    axis: Vec3
    torque: float
    """Most of the motor (N m); 0: no motor."""


class Scene(NamedTuple):
    """Parts and hinges, on the ground or in the air."""

    parts: list[Part]
    hinges: list[Hinge]
    ground: bool = True
    swing: float = 0.0
    """Target of all motors (rad), which changes sign at every turn."""
    robots: tuple[tuple[Vec3, Vec3], ...] = ()
    """Two-wheeled robots on the ground: place, and speeds of the wheels (rad/s) with a 0."""


def biped(swing: float = 0.0, torque: float = 20.0, robot: int = 0, east: float = 0.0) -> Scene:
    """Twenty joints: a trunk, a head, two arms of three and two legs of six."""
    parts = [Part("box", (0.08, 0.13, 0.15), 1.2, (east, 0, 0.4), robot=robot)]
    hinges: list[Hinge] = []

    def link(
        parent: int, size: tuple[float, ...], mass: float, y: float, z: float, anchor: float, axis: Vec3
    ) -> int:
        kind = "box" if len(size) == 3 else "capsule"
        parts.append(Part(kind, size, mass, (east, y, z), robot=robot))
        hinges.append(Hinge(len(parts) - 1, parent, (east, y, anchor), axis, torque))
        return len(parts) - 1

    roll = (1.0, 0.0, 0.0)
    neck = link(0, (0.03, 0.03, 0.02), 0.05, 0, 0.49, 0.48, Z)
    link(neck, (0.08, 0.08, 0.08), 0.2, 0, 0.54, 0.5, Y)
    for side in (1, -1):
        shoulder = link(0, (0.03, 0.02, 0.03), 0.05, 0.085 * side, 0.46, 0.46, Y)
        upper = link(shoulder, (0.016, 0.07), 0.2, 0.11 * side, 0.42, 0.46, roll)
        link(upper, (0.014, 0.08), 0.2, 0.11 * side, 0.32, 0.37, Y)
        y = 0.037 * side
        yaw = link(0, (0.04, 0.04, 0.02), 0.08, y, 0.305, 0.315, Z)
        hip = link(yaw, (0.04, 0.04, 0.025), 0.1, y, 0.28, 0.29, roll)
        thigh = link(hip, (0.04, 0.04, 0.09), 0.25, y, 0.22, 0.27, Y)
        shin = link(thigh, (0.04, 0.04, 0.09), 0.2, y, 0.12, 0.17, Y)
        ankle = link(shin, (0.04, 0.04, 0.03), 0.1, y, 0.05, 0.07, Y)
        link(ankle, (0.11, 0.066, 0.025), 0.12, y, 0.0125, 0.035, roll)
    return Scene(parts, hinges, swing=swing)


def two_bipeds() -> Scene:
    """Two bipeds with weak motors that fall over each other."""
    first, second = biped(0.8, 2.0), biped(0.8, 2.0, robot=1, east=0.16)
    count = len(first.parts)
    moved = [
        hinge._replace(child=hinge.child + count, parent=hinge.parent + count) for hinge in second.hinges
    ]
    return Scene(first.parts + second.parts, first.hinges + moved, swing=0.8)


def arm() -> Scene:
    """Seven joints of alternating axes."""
    length, foot = 0.14, 0.22
    parts = [Part("capsule", (0.04, 0.06), 2 - 0.2 * i, (0, 0, foot + length * (i + 0.5))) for i in range(7)]
    hinges = [Hinge(i, i - 1, (0, 0, foot + length * i), Y if i % 2 else Z, 150.0 - 15 * i) for i in range(7)]
    return Scene(parts, hinges, swing=0.4)


def chain(links: int) -> Scene:
    """Links without motors that swing from a level start."""
    parts = [Part("box", (0.08, 0.02, 0.02), 0.1, (0.1 * i + 0.05, 0, 10)) for i in range(links)]
    return Scene(parts, [Hinge(i, i - 1, (0.1 * i, 0, 10), Y, 0) for i in range(links)], ground=False)


def ring(links: int) -> Scene:
    """A closed ring of hinges with motors that drops on the ground."""
    radius = 0.05 / math.sin(math.pi / links)
    turns = [2 * math.pi * i / links for i in range(links + 1)]
    corners = [(radius * math.cos(turn), 0.0, radius * math.sin(turn) + radius + 0.1) for turn in turns]
    parts = []
    for (x, _, z), (u, _, w) in zip(corners, corners[1:], strict=False):
        pitch = -math.atan2(w - z, u - x)
        parts.append(Part("box", (0.08, 0.05, 0.02), 0.1, ((x + u) / 2, 0, (z + w) / 2), pitch))
    hinges = [Hinge(i, (i - 1) % links, corners[i], Y, 0.5) for i in range(links)]
    return Scene(parts, hinges, swing=0.3)


def stack(count: int) -> Scene:
    """Boxes on each other."""
    places = [(0.01 * (i % 2), 0.0, 0.1 + 0.2 * i) for i in range(count)]
    return Scene([Part("box", (0.2, 0.2, 0.2), 1, place, robot=-1) for place in places], [])


def heap(count: int) -> Scene:
    """Boxes that fall on each other in columns of 25."""
    random = Random(7)
    parts = []
    for i in range(count):
        place = (
            1.2 * (i % 5 - 2) + random.uniform(-0.15, 0.15),
            1.2 * (i // 5 % 5 - 2) + random.uniform(-0.15, 0.15),
            0.8 + 1.3 * (i // 25),
        )
        parts.append(Part("box", (1, 1, 1), 1, place, robot=-1))
    return Scene(parts, [])


def epucks(count: int) -> Scene:
    """Two-wheeled robots with casters among as many boxes."""
    random = Random(7)
    places = [(0.5 * (i % 5) - 1, 0.6 * (i // 5) - 0.9, 0.03) for i in range(count)]
    robots = tuple((place, (random.uniform(1, 6), random.uniform(1, 6), 0.0)) for place in places)
    parts = []
    for x, y, _ in places:
        height = random.uniform(0.08, 0.16)
        east = x - 0.2 + random.uniform(-0.03, 0.03)
        parts.append(Part("box", (height, height, height), 0.2, (east, y - 0.3, height / 2), robot=-1))
    return Scene(parts, [], robots=robots)


SCENES: dict[str, Callable[[], Scene]] = {
    "biped standing": biped,
    "biped falling, motors at their limits": partial(biped, 0.8, 2.0),
    "two bipeds fallen over each other": two_bipeds,
    "arm, 7 joints": arm,
    **{f"chain of {n} links": partial(chain, n) for n in (5, 10, 20, 40, 80)},
    **{f"ring of {n} hinges": partial(ring, n) for n in (6, 12)},
    "stack of 5 boxes": partial(stack, 5),
    "heap of 200 boxes": partial(heap, 200),
    "20 e-pucks and 20 boxes": partial(epucks, 20),
}


def _turn(pitch: float) -> tuple[float, float, float, float]:
    return (math.cos(pitch / 2), 0, math.sin(pitch / 2), 0)


def _body_of(world: World, part: Part) -> Body:
    makers = {"box": (Mass.box, Shape.box), "capsule": (Mass.capsule, Shape.capsule)}
    mass, shape = makers[part.kind]
    size = (part.size,) if part.kind == "box" else part.size
    body = world.add_body(mass(part.mass, *size), part.position, _turn(part.pitch))  # type: ignore[operator]
    world.add_geom(shape(*size), body, robot=part.robot)  # type: ignore[operator]
    return body


def _in_frame(part: Part, point: Vec3) -> Vec3:
    """A point of the world in the frame of a part."""
    x, y, z = (a - b for a, b in zip(point, part.position, strict=True))
    cosine, sine = math.cos(part.pitch), math.sin(part.pitch)
    return (cosine * x - sine * z, y, sine * x + cosine * z)


def _add_robot(world: World, number: int, place: Vec3, speeds: Vec3) -> None:
    x, y, _ = place
    trunk = world.add_body(Mass.cylinder(0.15, 0.035, 0.04), place)
    world.add_geom(Shape.cylinder(0.035, 0.04), trunk, robot=number)
    for end in (0.026, -0.026):
        world.add_geom(Shape.sphere(0.008), trunk, (end, 0, -0.022), robot=number, material=1)
    for side, speed in ((1, speeds[0]), (-1, speeds[1])):
        anchor = (x, y + 0.04 * side, 0.0205)
        wheel = world.add_body(Mass.cylinder(0.01, 0.0205, 0.006, "y"), anchor)
        world.add_geom(Shape.cylinder(0.0205, 0.006, "y"), wheel, robot=number)
        joint = world.add_hinge(wheel, trunk, anchor=(0, 0.04 * side, 0.0205 - place[2]), axis=Y)
        motor = joint[0].add_motor(10, 0.05)
        motor.set_position(math.inf)
        motor.set_velocity(speed)


def build(scene: Scene, solver: str) -> tuple[World, list[Motor]]:
    """The scene in the engine, with the motors of its hinges."""
    world = World(dt=STEP_S, solver=solver)
    if scene.ground:
        world.add_geom(Shape.plane())
    bodies = [_body_of(world, part) for part in scene.parts]
    motors = []
    for hinge in scene.hinges:
        parent = scene.parts[hinge.parent] if hinge.parent >= 0 else None
        anchor = _in_frame(parent, hinge.anchor) if parent else hinge.anchor
        holder = bodies[hinge.parent] if parent else None
        joint = world.add_hinge(bodies[hinge.child], holder, anchor=anchor, axis=hinge.axis)
        if hinge.torque:
            motors.append(joint[0].add_motor(6, hinge.torque))
    for number, (place, speeds) in enumerate(scene.robots):
        _add_robot(world, number, place, speeds)
    return world, motors


def _numbers(values: tuple[float, ...]) -> str:
    return " ".join(f"{value:.9g}" for value in values)


def mujoco_model(scene: Scene) -> str:
    """A tree of parts in MuJoCo's format, with the same motors."""
    children: dict[int, list[Hinge]] = {}
    for hinge in scene.hinges:
        children.setdefault(hinge.parent, []).append(hinge)

    def body(index: int, origin: Vec3, around: Vec3, joint: str) -> str:
        part = scene.parts[index]
        size = tuple(x / 2 for x in part.size) if part.kind == "box" else (part.size[0], part.size[1] / 2)
        place = _numbers(tuple(a - b for a, b in zip(part.position, origin, strict=True)))
        shape = f'<geom type="{part.kind}" size="{_numbers(size)}" pos="{place}" mass="{part.mass:.9g}" '
        inner = "".join(body_of(hinge, origin) for hinge in children.get(index, []))
        start = _numbers(tuple(a - b for a, b in zip(origin, around, strict=True)))
        return f'<body pos="{start}">{joint}{shape}contype="1" conaffinity="0"/>{inner}</body>'

    def body_of(hinge: Hinge, around: Vec3) -> str:
        joint = (
            f'<joint name="j{hinge.child}" axis="{_numbers(hinge.axis)}" armature="{hinge.torque * 5e-4}"/>'
        )
        return body(hinge.child, hinge.anchor, around, joint)

    bodies = "".join(body_of(hinge, (0, 0, 0)) for hinge in children.get(-1, []))
    jointed = {hinge.child for hinge in scene.hinges}
    for i, part in enumerate(scene.parts):
        if i not in jointed:
            bodies += body(i, part.position, (0, 0, 0), "<freejoint/>")
    motors = "".join(
        f'<position joint="j{hinge.child}" kp="{hinge.torque * 2}" kv="{hinge.torque * 0.2}" '
        f'forcerange="{-hinge.torque} {hinge.torque}"/>'
        for hinge in scene.hinges
        if hinge.torque
    )
    ground = '<geom type="plane" size="0 0 1"/>' if scene.ground else ""
    return (
        f'<mujoco><option timestep="{STEP_S}" integrator="implicitfast"/><size memory="200M"/>'
        f"<worldbody>{ground}{bodies}</worldbody><actuator>{motors}</actuator></mujoco>"
    )
