"""Joints with devices for the tests of motors, position sensors and brakes."""

from __future__ import annotations

from tests.devices.rig import Rig, rig

STEP_S = 0.016
FREE = "gravity 0 CFM 1e-10"
BODY = "boundingObject Box { size 1 1 1 } physics Physics { density -1 mass 6 }"
"""6 kg, 1 kg m^2 about each axis."""


def devices(name: str, motor: str = "", kind: str = "RotationalMotor", sensor: str = "") -> str:
    """A motor, its position sensor and a brake: "<name>", "<name> sensor", "<name> brake"."""
    return (
        f'{kind} {{ name "{name}" {motor} }} PositionSensor {{ name "{name} sensor" {sensor} }} '
        f'Brake {{ name "{name} brake" }}'
    )


def end(name: str, fields: str = BODY) -> str:
    """The solid at the end of a joint."""
    return f'endPoint Solid {{ name "{name} end" {fields} }}'


def hinge(
    name: str = "m", motor: str = "maxTorque 1000", joint: str = "", body: str = BODY, sensor: str = ""
) -> str:
    """A hinge about z with its devices."""
    parameters = f"jointParameters HingeJointParameters {{ axis 0 0 1 {joint} }}"
    ends = end(name, body) if body else ""
    return f"HingeJoint {{ {parameters} device [ {devices(name, motor, sensor=sensor)} ] {ends} }}\n"


def slider(name: str = "m", motor: str = "maxForce 100000", joint: str = "", body: str = BODY) -> str:
    """A slider along z with its devices."""
    parameters = f"jointParameters JointParameters {{ axis 0 0 1 {joint} }}"
    made = devices(name, motor, "LinearMotor")
    return f"SliderJoint {{ {parameters} device [ {made} ] {end(name, body)} }}\n"


def ready(children: str, name: str = "m", **options: str) -> Rig:
    """A rig without gravity whose position sensor is on."""
    made = rig(children, info=FREE, **options)
    made.enable(f"{name} sensor")
    return made


def trace(made: Rig, steps: int, name: str = "m") -> list[float]:
    """The position after each of some steps."""
    values = []
    for _ in range(steps):
        made.step()
        values.append(made[f"{name} sensor"].get_value())
    return values


def manual_law(
    target: float,
    steps: int,
    pid: tuple[float, float, float] = (10, 0, 0),
    velocity: float = 10,
    acceleration: float = -1,
    position: float = 0.0,
) -> list[float]:
    """Positions by the algorithm of the manual (chapter Motor), if the joint follows at once."""
    p, i, d = pid
    integral, previous, last = 0.0, 0.0, 0.0
    made = []
    for _ in range(steps):
        error = target - position
        integral += error * STEP_S
        wanted = p * error + i * integral + d * (error - previous) / STEP_S
        previous = error
        wanted = max(-velocity, min(velocity, wanted))
        if acceleration != -1:
            change = max(-acceleration * STEP_S, min(acceleration * STEP_S, wanted - last))
            wanted = last + change
        last = wanted
        position += wanted * STEP_S
        made.append(position)
    return made
