"""Each field of each device and robot with an extreme value, driven by a controller that reads all.

Judge: the run either names the field in an error, or ends in words; nothing that Python raises comes through.
"""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from tests.bombs.bombs import CONTROLLER, HEADER
from wbridge.wbcore.controllers.runner import Runner, RunOptions
from wbridge.wbcore.scene.checks import checked
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.scene.schema import schema

VALUES = {
    "SFInt32": ["2147483647", "65536"],
    "SFFloat": ["1e300", "1e-300"],
    "SFVec2f": ["1e300 -1e300"],
    "SFVec3f": ["1e300 -1e300 1e-300"],
    "SFRotation": ["0 0 0 1e300"],
    "SFColor": ["1e300 0 0"],
}
IN_JOINTS = ("Motor", "PositionSensor", "Brake")


def types() -> list[str]:
    """All robots, and devices that stand in robots."""
    nodes = [node for name in schema().names() if (node := schema().node(name)) is not None]
    return [
        node.name
        for node in nodes
        if not node.abstract
        and (node.is_a("Device") or node.is_a("Robot"))
        and not any(map(node.is_a, IN_JOINTS))
    ]


def world(name: str, field: str) -> str:
    """A world with a robot that is or has a node with a field."""
    node = schema().node(name)
    assert node is not None
    if node.is_a("Robot"):
        return f"{HEADER}WorldInfo {{ }}\n{name} {{ {field} supervisor TRUE }}"
    return f"{HEADER}WorldInfo {{ }}\nRobot {{ supervisor TRUE children [ {name} {{ {field} }} ] }}"


@pytest.mark.slow
@pytest.mark.parametrize("name", types())
def test_extreme_values_end_in_words(name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.CRITICAL)
    controller = tmp_path / "bomb.py"
    controller.write_text(CONTROLLER)
    node = schema().node(name)
    assert node is not None
    for field in node.fields.values():
        for value in VALUES.get(field.type, []):
            loaded = checked(load_text(world(name, f"{field.name} {value}")))
            if loaded.report.errors:
                continue
            with Runner(loaded, RunOptions(inline=True, controllers={"": str(controller)})) as runner:
                runner.limit = 2
                assert runner.run().status == 0, f"{name}.{field.name} {value}"
