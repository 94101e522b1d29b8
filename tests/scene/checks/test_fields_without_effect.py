"""`wbridge check` names the fields of bundled models that are accepted and have no effect.

The judge is the model's own declaration: an unconnectedField.
"""

from __future__ import annotations

from pathlib import Path

from wbridge.wbcore.scene.checks import check_world
from wbridge.wbcore.scene.load import load_text

URL = "https://raw.githubusercontent.com/cyberbotics/webots/R2023b/projects/vehicles/protos/{}.proto"


def findings(tmp_path: Path, name: str, fields: str) -> list[tuple[str, int]]:
    declared = f'EXTERNPROTO "{URL.format(name)}"\n'
    text = f"#VRML_SIM R2023b utf8\n{declared}WorldInfo {{\n}}\n{Path(name).name} {{\n{fields}}}\n"
    world = load_text(text, str(tmp_path / "w.wbt"))
    assert world.report.errors == []
    check_world(world)
    return [(one.message, one.line) for one in world.report if one.code == "field-without-effect"]


def test_a_field_without_effect_is_named_with_its_place(tmp_path: Path):
    found = findings(tmp_path, "bmw/BmwX5", "  frontSpotLights TRUE\n")
    assert found == [
        ("BmwX5.frontSpotLights has no effect: the bundled model is simpler than that of Webots", 6)
    ]


def test_a_default_and_a_field_with_effect_are_not_named(tmp_path: Path):
    assert findings(tmp_path, "bmw/BmwX5", '  frontSpotLights FALSE\n  name "a"\n') == []
