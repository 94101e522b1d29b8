"""The names of a bundled model's devices are those of the release in the URL that declares it.

Webots loads the PROTO that a world's EXTERNPROTO names, whatever the world's own header says. The judge:
public worlds of R2023b that declare Crazyflie of R2023a, and of R2023a that declare Rosbot of R2023b, with
controllers that call these names.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.scene.node import walk

ROBOTS = "https://raw.githubusercontent.com/cyberbotics/webots/{}/projects/robots/"
CRAZYFLIE = ROBOTS + "bitcraze/crazyflie/protos/Crazyflie.proto"
ROSBOT = ROBOTS + "husarion/rosbot/protos/Rosbot.proto"
TIAGO = ROBOTS + "pal_robotics/tiago/protos/Tiago.proto"
CASES = [
    ("R2023b", CRAZYFLIE.format("R2023a"), "InertialUnit", ["inertial unit"]),
    ("R2023a", CRAZYFLIE.format("R2023b"), "InertialUnit", ["inertial_unit"]),
    (
        "R2023b",
        "webots://projects/robots/bitcraze/crazyflie/protos/Crazyflie.proto",
        "InertialUnit",
        ["inertial_unit"],
    ),
    ("R2023a", ROSBOT.format("R2023b"), "Lidar", ["laser"]),
    ("R2023b", ROSBOT.format("R2023a"), "Lidar", ["lidar"]),
]


def names(tmp_path: Path, header: str, url: str, kind: str) -> list[str]:
    text = f'#VRML_SIM {header} utf8\nEXTERNPROTO "{url}"\nWorldInfo {{\n}}\n{Path(url).stem} {{\n}}\n'
    world = load_text(text, str(tmp_path / "worlds" / "w.wbt"))
    return sorted(str(node.get("name")) for node in walk(world.nodes[-1].root) if node.type == kind)


@pytest.mark.parametrize(("header", "url", "kind", "expected"), CASES)
def test_names_are_those_of_the_declared_release(
    header: str, url: str, kind: str, expected: list[str], tmp_path: Path
):
    assert names(tmp_path, header, url, kind) == expected


def test_a_model_inside_another_one_follows_the_release_of_the_outer_one(tmp_path: Path):
    older = names(tmp_path, "R2025a", TIAGO.format("R2023a"), "PositionSensor")
    assert older == names(tmp_path, "R2023a", TIAGO.format("R2023a"), "PositionSensor")
    assert older != names(tmp_path, "R2025a", TIAGO.format("R2025a"), "PositionSensor")
