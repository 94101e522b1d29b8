"""Programs that were compiled with Webots' C++ classes find members and functions where they expect them.

Judge: what a compiler makes of Webots' headers of R2023b (g++ -fdump-lang-class): the size of a robot, the
places of what their inline functions read, and the places of functions in the tables of classes.
"""

import subprocess
from pathlib import Path

from tests.c.test_headers import CXX_INCLUDE, INCLUDE
from tests.conftest import require_tool

MEMBERS = {"keyboard": 8, "joystick": 16, "mouse": 24}
FUNCTIONS = {
    "Robot::step": 2,
    "Robot::batterySensorDisable": 4,
    "Motor::setPosition": 2,
    "Motor::setVelocity": 3,
    "Camera::enable": 2,
    "Supervisor::simulationQuit": 30,  # one more than there: VacuumGripper came with the last R2023b
    "Supervisor::simulationReset": 31,
}
PROGRAM = """
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>
#define private public
#include <webots/Camera.hpp>
#include <webots/Motor.hpp>
#include <webots/Supervisor.hpp>
#include <webots/ImageRef.hpp>
#include <webots/vehicle/Car.hpp>
#pragma GCC diagnostic ignored "-Winvalid-offsetof"

template <class Function> long place(Function function) {
  long raw;
  std::memcpy(&raw, &function, sizeof raw);
  return (raw - 1) / static_cast<long>(sizeof(void *));
}

int main() {
  using namespace webots;
"""


def test_members_and_functions_are_where_webots_has_them(tmp_path: Path):
    require_tool("c++", "the program is compiled with it")
    sizes = {"Robot": 32, "Supervisor": 32, "Driver": 32, "Car": 32, "Device": 48, "ImageRef": 16}
    shown = {f"sizeof({name})": size for name, size in sizes.items()}
    shown |= {f"offsetof(Robot, wb_member_{name})": place for name, place in MEMBERS.items()}
    shown |= {f"place(&{name})": place for name, place in FUNCTIONS.items()}
    lines = [f'  std::printf("%ld\\n", static_cast<long>({each}));\n' for each in shown]
    source, program = tmp_path / "layout.cpp", tmp_path / "layout"
    source.write_text("".join([PROGRAM, *lines, "}\n"]))
    folders = [f"-I{INCLUDE}", f"-I{CXX_INCLUDE}"]
    command = ["c++", "-std=c++17", *folders, "-Wl,--unresolved-symbols=ignore-all", source, "-o", program]
    subprocess.run(command, check=True)
    printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    assert dict(zip(shown, map(int, printed.split()), strict=True)) == shown
