"""Hard limits of converted joints hold under force, wherever the range lies, and the start is inside.

Judges: the limits in the URDF and MJCF files; in the PROTO, position 0 is that of the file.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wbridge.wbcore.importers import ConvertOptions, convert
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.simulation import Simulation

RANGES = [(-2.7, -0.8), (0.5, 2.5), (-1.0, 1.0), (0.0, 1.0), (-3.0, -2.5), (0.02, 0.05)]
TOLERANCE = 0.02
"""Stops of ODE are soft: they give way by force x CFM and by what remains of an impact."""
INERTIAL = (
    '<inertial><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>'
)


def urdf(kind: str, low: float, high: float) -> str:
    joint = {"hinge": "revolute", "slider": "prismatic"}[kind]
    return (
        '<robot name="r"><link name="world"/>'
        f'<link name="a">{INERTIAL}</link><link name="b">{INERTIAL}</link>'
        '<joint name="w" type="fixed"><parent link="world"/><child link="a"/></joint>'
        f'<joint name="j" type="{joint}"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>'
        f'<limit lower="{low}" upper="{high}" effort="5" velocity="9"/></joint></robot>'
    )


def mjcf(kind: str, low: float, high: float) -> str:
    body = '<inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/>'
    kind = {"hinge": "hinge", "slider": "slide"}[kind]
    return (
        '<mujoco model="r"><compiler angle="radian"/><worldbody><body name="a">'
        f'{body}<body name="b">{body}<joint name="j" type="{kind}" axis="0 0 1" range="{low} {high}"/>'
        "</body></body></worldbody></mujoco>"
    )


def converted(folder: Path, text: str, suffix: str) -> Simulation:
    source = folder / f"robot.{suffix}"
    source.write_text(text)
    done = convert(source, ConvertOptions(output=folder, world=folder / "test.wbt"))
    assert done.report.errors == []
    simulation = Simulation(load_world(folder / "test.wbt"))
    simulation.physics.engine.gravity = (0.0, 0.0, 0.0)
    return simulation


def force(joint: Any, push: float) -> None:
    """Push for a step, by the motor if there is one."""
    if joint[0].motor is None:
        joint[0].add_force(push)
    else:
        joint[0].motor.set_force(push)


@pytest.mark.parametrize(("low", "high"), RANGES)
@pytest.mark.parametrize("kind", ["hinge", "slider"])
@pytest.mark.parametrize("source", [urdf, mjcf])
@pytest.mark.parametrize("push", [-0.5, 0.5])
def test_a_range_holds_wherever_it_lies(
    tmp_path: Path,
    source: Callable[[str, float, float], str],
    kind: str,
    low: float,
    high: float,
    push: float,
):
    suffix = "urdf" if source is urdf else "xml"
    with converted(tmp_path, source(kind, low, high), suffix) as simulation:
        ((_, joint),) = simulation.physics.handles.joints.items()
        assert low <= joint.positions[0] <= high
        fastest = 0.0
        for _ in range(400):
            fastest = max(fastest, abs(joint[0].velocity))
            force(joint, push)
            simulation.step()
            # ODE notices a stop after the step that passes it.
            excess = fastest * simulation.step_s + TOLERANCE
            assert low - excess <= joint.positions[0] <= high + excess
        assert joint.positions[0] == pytest.approx(high if push > 0 else low, abs=TOLERANCE)


@pytest.mark.parametrize(("low", "high", "push"), [(1.0, 4.0, -0.5), (-4.0, 0.5, 0.5)])
def test_the_end_of_a_range_within_half_a_turn_holds(tmp_path: Path, low: float, high: float, push: float):
    """Hinges of Webots have no stops beyond half a turn; the other end has one."""
    with converted(tmp_path, urdf("hinge", low, high), "urdf") as simulation:
        ((_, joint),) = simulation.physics.handles.joints.items()
        for _ in range(400):
            force(joint, push)
            simulation.step()
        assert joint.positions[0] == pytest.approx(low if push < 0 else high, abs=TOLERANCE)
