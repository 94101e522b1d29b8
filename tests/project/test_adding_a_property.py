"""A new property of motors, `wb_motor_get_gear_ratio`, in a copy of the repository: the files by hand.

For a property of Webots' own motors, the three files of facts have it already.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.conftest import CHECKOUT, require_tool
from tests.project.recipes import Copy

Json = dict[str, Any]
ERA = {"type": "SFFloat", "default": "1"}
FIELD = {
    "name": "gearRatio",
    "type": "SFFloat",
    "versions": {"8.3.1": ERA, "recent-index": ERA},
    "default": "1",
}
FUNCTION = {
    "name": "wb_motor_get_gear_ratio",
    "kind": "function",
    "device": "Motor",
    "header": "webots/motor.h",
    "return": "double",
    "params": [{"name": "tag", "type": "WbDeviceTag"}],
    "signature": "double wb_motor_get_gear_ratio(WbDeviceTag tag)",
    "versions": ["recent-index"],
    "deprecated": False,
    "removed": False,
    "cpp_signature": "double getGearRatio() const",
    "python_args": "self",
    "python_property": "Motor.gear_ratio",
    "python": "Motor.getGearRatio",
    "cpp": "Motor::getGearRatio",
}
CODE = """
@ hal/catalogue/devices.json
-    "multiplier": ["f64", "multiplier"],
+    "multiplier": ["f64", "multiplier"],
+    "gearRatio": ["f64", "gearRatio"],
@ hal/protocol/devices/motor.py
-            "p:f64 i:f64 d:f64 position:f64 velocity:f64 multiplier:f64 couplings:u16[]",
+            "p:f64 i:f64 d:f64 position:f64 velocity:f64 multiplier:f64 couplings:u16[] gear_ratio:f64",
@ wbcore/devices/motor.py
-            "multiplier": m.multiplier,
+            "multiplier": m.multiplier,
+            "gear_ratio": self.entry.constants["gearRatio"],
@ libcontroller/src/devices/motor.h
-  double available_force, multiplier;
+  double available_force, multiplier, gear_ratio;
@ libcontroller/src/devices/motor.c
-  take_couplings(self, in);
+  take_couplings(self, in);
+  self->gear_ratio = read_f64(in);
"""
"""Changes of the simulator and of the client: lines that stand once in a file, and what replaces them."""
BOARDS = """
@ firmware_templates/api/motor/kind.toml
-multiplier = "multiplier"
+multiplier = "multiplier"
+gear_ratio = "gearRatio"
-wb_motor_get_multiplier = []
+wb_motor_get_multiplier = []
+wb_motor_get_gear_ratio = []
@ firmware_templates/api/motor/wb_motor.c
-double wb_motor_get_multiplier(WbDeviceTag tag) {
+double wb_motor_get_gear_ratio(WbDeviceTag tag) {
+  const FLASH struct motor *self = motor(tag);
+  return self ? self->gear_ratio : NAN;
+}
+
+double wb_motor_get_multiplier(WbDeviceTag tag) {
@ firmware_templates/api/motor/motor.py
-    def get_multiplier(self):
+    def get_gear_ratio(self):
+        return self._row["gear_ratio"]
+
+    def get_multiplier(self):
"""
"""Changes for boards."""
GENERATORS = (
    "node_types",
    "schema",
    "api",
    "controller_modules",
    "c_headers",
    "firmware_api",
    "firmware_headers",
    "python_client",
)
WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 }
Viewpoint { }
Robot { controller "geared" children [
  HingeJoint {
    jointParameters HingeJointParameters { }
    device RotationalMotor { gearRatio 2.5 }
    endPoint Solid { boundingObject Sphere { } physics Physics { } }
  }
] }
"""
PYTHON = """from controller import Robot

robot = Robot()
motor = robot.getDevice("rotational motor")
print(motor.getGearRatio(), motor.gear_ratio)
"""
C = """#include <stdio.h>
#include <webots/motor.h>
#include <webots/robot.h>

int main(void) {
  wb_robot_init();
  printf("%g\\n", wb_motor_get_gear_ratio(wb_robot_get_device("rotational motor")));
  wb_robot_cleanup();
  return 0;
}
"""


def changes(text: str) -> dict[str, list[tuple[str, str]]]:
    """What is replaced in which file by what."""
    files: dict[str, list[tuple[str, str]]] = {}
    for part in text.split("\n@ ")[1:]:
        name, _, rest = part.partition("\n")
        pairs = re.findall(r"((?:^-.*\n)+)((?:^\+.*\n?)+)", f"{rest}\n", re.MULTILINE)
        files[name] = [(_lines(old), _lines(new)) for old, new in pairs]
    return files


def _lines(marked: str) -> str:
    return "".join(line[1:] for line in marked.splitlines(keepends=True))


def facts(copy: Copy) -> dict[str, Json]:
    """The files of the specification with the property."""
    names = ("nodes", "api", "methods")
    folder = copy.folder / "hal" / "catalogue" / "spec"
    nodes, api, methods = (json.loads((folder / f"{name}.json").read_text("utf-8")) for name in names)
    for node in ("Motor", "LinearMotor", "RotationalMotor"):
        nodes["nodes"][node]["fields"].append(FIELD)
    api["functions"].append(FUNCTION)
    api["python_classes"]["Motor"]["methods"]["getGearRatio"] = "self"
    api["python_classes"]["Motor"]["properties"]["gear_ratio"] = "read-only"
    api["cpp_classes"]["Motor"]["methods"].append("double getGearRatio() const")
    motor = methods["Motor"]["methods"]
    motor["get_gear_ratio"] = {"returns": "float", "doc": ["The ratio of the gear."]}
    return {
        f"hal/catalogue/spec/{name}.json": data
        for name, data in zip(names, (nodes, api, methods), strict=True)
    }


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """The repository with the property."""
    made = Copy(tmp_path_factory.mktemp("repository"))
    for name, data in facts(made).items():
        made.write(name, json.dumps(data))
    for name, pairs in (changes(CODE) | changes(BOARDS)).items():
        text = (made.folder / name).read_text(encoding="utf-8")
        for old, new in pairs:
            text = text.replace(old, new)
        made.write(name, text)
    for name in GENERATORS:
        made.run(f"scripts/generate_{name}.py")
    made.compile_client()
    made.write("worlds/geared.wbt", WORLD)
    made.write("controllers/geared/geared.py", PYTHON)
    return made


@pytest.mark.parametrize("name", changes(CODE) | changes(BOARDS))
def test_the_replaced_lines_stand_once_in_their_file(name: str):
    text = (CHECKOUT / name).read_text(encoding="utf-8")
    assert {text.count(old) for old, _ in (changes(CODE) | changes(BOARDS))[name]} == {1}


@pytest.mark.slow
def test_a_property_takes_five_files_of_code_and_three_for_boards(copy: Copy):
    assert (len(facts(copy)), len(changes(CODE)), len(changes(BOARDS))) == (3, 5, 3)


@pytest.mark.slow
def test_controllers_in_python_read_it(copy: Copy):
    assert "2.5 2.5\n" in copy.wbridge("run", "worlds/geared.wbt", "--duration", "1")


@pytest.mark.slow
def test_controllers_in_c_read_it(copy: Copy):
    require_tool("cc", "controllers in C are compiled with it")
    copy.write("worlds/geared_c.wbt", WORLD.replace('"geared"', '"geared_c"'))
    copy.write("controllers/geared_c/geared_c.c", C)
    assert "2.5\n" in copy.wbridge("run", "worlds/geared_c.wbt", "--duration", "1")
