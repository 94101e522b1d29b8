"""NULL for a pointer argument of a function on a board is a message with the function's name, never a crash.

The judge is each header: the functions are those whose code is in the templates, with the parameters of their
prototypes.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.c import test_null as desktop
from tests.firmware.conftest import require_board
from tests.firmware.onboard import text_of
from tests.firmware.wired import mapped, table_of
from wbridge.wbfirmware.building.build import Built, build
from wbridge.wbfirmware.building.project import FirmwareError
from wbridge.wbfirmware.template_folders import templates_path

REFUSED = "wb_display_set_font"
"""The name of a font is read when the firmware is built: NULL is an error there."""
DEFINED = re.compile(r"^\w[\w *]*?\b(wbu?_\w+)\(", re.M)
MAP = """format = 1
world = "w.wbt"
robot = "all"
board = "host"
flavor = "standalone"
controller = "code.c"
[link]
table = false
[devices.display]
driver = "ssd1306"
sda = "D20"
scl = "D21"
[devices.emitter]
driver = "serial_emitter"
tx = "D31"
"""
DEVICES = {
    "display": ("Display", {"width": 128, "height": 64}),
    "emitter": ("Emitter", {"channel": 3, "type": "serial"}),
}
CODE = """#include <webots/display.h>
#include <webots/emitter.h>
#include <webots/robot.h>
#include <webots/utils/string.h>
#include <stdio.h>
static char *text = "text";
static int numbers[4];
int main(void) {
  wb_robot_init();
CALLS  printf("@end\\n");
  while (wb_robot_step(16) != -1) {}
  return 0;
}
"""


def calls() -> dict[str, str]:
    """The code of each call with one NULL, by function and parameter."""
    sources = templates_path().glob("api/*/*.c")
    names = {name for path in sources for name in DEFINED.findall(path.read_text())} - {REFUSED}
    code = {}
    for function, parameters in desktop.declared().items():
        for place, parameter in enumerate(parameters):
            if function in names and desktop.is_pointer(parameter):
                passed = ["NULL" if k == place else _value(function, p) for k, p in enumerate(parameters)]
                name = desktop._name(parameter, place)
                code[f"{function} {name}"] = f"{function}({', '.join(passed)});"
    return code


def _value(function: str, parameter: str) -> str:
    if parameter.startswith("WbDeviceTag"):
        return f'wb_robot_get_device("{function.split("_")[1]}")'
    values = {"const char *": "text", "const int *": "numbers", "const void *": "text", "char * *": "&text"}
    return values.get(desktop._type(parameter), "1")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Built:
    require_board("host")
    folder = tmp_path_factory.mktemp("null")
    lines = "".join(f'  printf("@{name}\\n");\n  {code}\n' for name, code in calls().items())
    (folder / "code.c").write_text(CODE.replace("CALLS", lines))
    return build(mapped(folder, MAP, table_of(DEVICES)), folder / "firmware")


def test_null_for_a_font_is_an_error_of_the_build(tmp_path: Path):
    (tmp_path / "code.c").write_text(CODE.replace("CALLS", f"  {REFUSED}(1, NULL, 8, true);\n"))
    with pytest.raises(FirmwareError, match=f"{REFUSED}: the board has only the fonts"):
        build(mapped(tmp_path, MAP, table_of(DEVICES)), tmp_path / "firmware")


def test_null_is_a_message_for_each_pointer_of_each_function(program: Built):
    said: dict[str, list[str]] = {}
    for line in text_of(program, 100).splitlines():
        if line.startswith("@"):
            call = line[1:]
            said[call] = []
        elif said:
            said[call].append(line)
    assert set(said) == {*calls(), "end"}
    assert len(said) > 8
    silent = {
        call for call in calls() if said[call] != [f"wbridge: {call.partition(' ')[0]}() called with NULL"]
    }
    assert silent == set()
