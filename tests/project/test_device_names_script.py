"""The script that takes names of devices from PROTOs of Webots: releases, nested models, other models.

The judge is the text of the PROTOs below: what they name is what the script keeps.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.device_names import merged, names_of

BODY = "{\n  Robot {\n    children [\n      %s\n    ]\n  }\n}\n"
MOTOR = (
    "HingeJoint { device [ RotationalMotor { name %s } PositionSensor { } ] endPoint Solid { } } "
    "Eye { name %s }"
)
EYE = """#VRML_SIM R2022b utf8
PROTO Eye [
  field SFString name "eye"
]
{
  Camera {
    name IS name
  }
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    declared = 'EXTERNPROTO "webots://projects/devices/protos/Eye.proto"\n'
    children = MOTOR % ('"left wheel"', '"front"')
    text = f"#VRML_SIM R2022b utf8\n{declared}PROTO E-puck [\n]\n{BODY % children}"
    (tmp_path / "E-puck.proto").write_text(text)
    (tmp_path / "Eye.proto").write_text(EYE)
    return tmp_path


def test_names_of_bundled_models_are_kept_by_release(folder: Path):
    facts = {"Nao": {"R2021a": {"GPS": ["gps"]}}, "E-puck": {"R2018b": {"LED": ["led0"]}}}
    names = {"Camera": ["front"], "PositionSensor": ["position sensor"], "RotationalMotor": ["left wheel"]}
    expected = {"E-puck": {"R2018b": {"LED": ["led0"]}, "R2022b": names}, "Nao": facts["Nao"]}
    assert merged(facts, folder, {"E-puck", "Nao"}) == expected


def test_a_model_that_needs_a_missing_one_is_refused(folder: Path):
    (folder / "Eye.proto").unlink()
    with pytest.raises(ValueError, match=r"E-puck\.proto needs Eye in the same folder"):
        names_of(folder / "E-puck.proto", "R2022b")
