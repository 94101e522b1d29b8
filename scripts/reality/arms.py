"""Pendulums of one or two links with motors, in wbridge and MuJoCo."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple, Protocol

import numpy as np

from scripts.reality.cubes import Range
from scripts.reality.swings import STEP, Window
from scripts.reality.tosses import GRAVITY, Values
from wbridge.wbcore.engine import Mass, World
from wbridge.wbcore.engine._engine import axis_angle

COMPACT = 1e-3
"""Moment of inertia of a link about its center of mass (kg m^2): links are rods with a weight at the end."""


class Link(NamedTuple):
    """A link: its mass (kg), the distances of its center and of the next joint from its joint (m), and the
    inertia of the motor's rotor at the joint (kg m^2)."""

    mass: float
    center: float
    length: float
    rotor: float


class Kind(NamedTuple):
    """A pendulum: its links, and the parameters to fit, of which `shaped` makes links."""

    name: str
    links: tuple[Link, ...]
    ranges: tuple[Range, ...]

    def shaped(self, values: Sequence[float]) -> tuple[tuple[Link, ...], tuple[float, ...], float]:
        """Return links, dry friction of each joint (N m), and damping of all joints (N m s/rad)."""
        center, damping, *friction = values
        return (*self.links[:-1], self.links[-1]._replace(center=center)), tuple(friction), damping


DOUBLE = Kind(
    "double pendulum",
    (Link(0.6417, 0.2, 0.2, 0.0036), Link(0.5639, 0.3, 0.3, 0.0036)),
    (
        Range("center of mass", 0.2, 0.35, 0.3),
        Range("damping", 0, 0.05, 0.001),
        Range("friction 1", 0, 0.6, 0.09),
        Range("friction 2", 0, 0.6, 0.08),
    ),
)
SINGLE = Kind(
    "pendulum",
    (Link(0.57, 0.5, 0.5, 0.0036),),
    (
        Range("center of mass", 0.3, 0.7, 0.5),
        Range("damping", 0, 0.1, 0.01),
        Range("friction", 0, 0.3, 0.05),
    ),
)


class Arm(Protocol):
    """A simulator of pendulums."""

    name: str

    def set(self, links: Sequence[Link], friction: Sequence[float], damping: float) -> None:
        """Take a pendulum."""

    def swing(self, window: Window) -> Values:
        """Simulate a window; return the angles (rad) in the shape of its positions."""


class WbridgeArm:
    """The engine of wbridge."""

    name = "wbridge"

    def set(self, links: Sequence[Link], friction: Sequence[float], damping: float) -> None:
        self._links, self._friction, self._damping = links, friction, damping

    def swing(self, window: Window) -> Values:
        world = World(dt=STEP, gravity=(0, 0, -GRAVITY))
        angle, spin, place, speed = 0.0, 0.0, np.zeros(3), np.zeros(3)
        axes, parent, anchor = [], None, (0.0, 0.0, 0.0)
        for number, link in enumerate(self._links):
            angle, spin = angle + window.positions[0, number], spin + window.velocity[number]
            down = np.array([-np.sin(angle), 0, -np.cos(angle)])
            inertia = np.diag([COMPACT, COMPACT + link.rotor, COMPACT]).ravel().tolist()
            mass = Mass.of(link.mass, (0, 0, -link.center), inertia)
            body = world.add_body(mass, position=place.tolist(), orientation=axis_angle((0, 1, 0), angle))
            body.linear_velocity = (speed + spin * np.cross((0, 1, 0), link.center * down)).tolist()
            body.angular_velocity = (0, spin, 0)
            start = float(window.positions[0, number])
            joint = world.add_hinge(body, parent, anchor=anchor, axis=(0, 1, 0), position=start)
            joint[0].damping_constant = self._damping
            joint[0].static_friction = self._friction[number]
            axes.append(joint[0])
            place, speed = place + link.length * down, speed + spin * np.cross((0, 1, 0), link.length * down)
            parent, anchor = body, (0.0, 0.0, -link.length)
        frames = []
        for torques in window.torques:
            frames.append([axis.position for axis in axes])
            for axis, torque in zip(axes, torques, strict=True):
                axis.add_force(float(torque))
            world.step()
        return np.array(frames)


class MujocoArm:
    """MuJoCo."""

    name = "MuJoCo"

    def __init__(self) -> None:
        self._mujoco = import_module("mujoco")

    def set(self, links: Sequence[Link], friction: Sequence[float], damping: float) -> None:
        inner = ""
        for number in reversed(range(len(links))):
            link, place = links[number], -links[number - 1].length if number else 0
            inner = f"""
                <body pos="0 0 {place}">
                  <joint type="hinge" axis="0 1 0" damping="{damping}"
                    frictionloss="{friction[number]}" armature="{link.rotor}"/>
                  <inertial pos="0 0 {-link.center}" mass="{link.mass}"
                    diaginertia="{COMPACT} {COMPACT} {COMPACT}"/>
                  {inner}
                </body>"""
        option = f'<option timestep="{STEP}" gravity="0 0 {-GRAVITY}"/>'
        text = f"<mujoco>{option}<worldbody>{inner}</worldbody></mujoco>"
        self._model = self._mujoco.MjModel.from_xml_string(text)
        self._data = self._mujoco.MjData(self._model)

    def swing(self, window: Window) -> Values:
        data = self._data
        self._mujoco.mj_resetData(self._model, data)
        data.qpos[:], data.qvel[:] = window.positions[0], window.velocity
        frames = []
        for torques in window.torques:
            frames.append(data.qpos.copy())
            data.qfrc_applied[:] = torques
            self._mujoco.mj_step(self._model, data)
        return np.array(frames)


def swings(arm: Arm, kind: Kind, values: Sequence[float], windows: Sequence[Window]) -> list[Values]:
    """Simulate windows with values of the parameters."""
    arm.set(*kind.shaped(values))
    return [arm.swing(one) for one in windows]
