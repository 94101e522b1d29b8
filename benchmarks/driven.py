"""The engine's world of a scene, without controllers: its motors run by themselves."""

from __future__ import annotations

import math
from collections.abc import Callable

from wbridge.wbcore.engine import Motor, World
from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.scene.contact_law import choose_law
from wbridge.wbcore.scene.load import World as Scene

__all__ = ["driven"]


def driven(load: Callable[[], Scene], law: str = "webots") -> World:
    """Physics plugins and controllers are left out."""
    scene = load()
    choose_law(scene, law)
    physics = PhysicsWorld(scene, 0)
    for number, motor in enumerate(physics.handles.motors.values()):
        _drive(motor, number)
    return physics.engine


def _drive(motor: Motor, number: int) -> None:
    """Every second motor turns on and on, at a tenth of its speed; the others go to a position."""
    speed = min(motor.max_velocity, 100.0) / 10
    motor.set_position(math.inf if number % 2 else 0.2)
    motor.set_velocity(speed)
