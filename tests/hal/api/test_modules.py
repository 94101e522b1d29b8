"""The packages `controller` and `vehicle` have the modules and names of Webots' own Python packages.

Judge: the list of files of lib/controller/python in Webots R2025a, and the names that each defines.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import controller
import vehicle
from wbridge.hal import api
from wbridge.hal.client.native import NativeRobot
from wbridge.hal.controller.by_hand import library
from wbridge.hal.protocol.loopback import Loopback
from wbridge.hal.readings import ContactPoint as ContactPointData

Attach = Callable[[Loopback], NativeRobot]

OFFICIAL = json.loads(Path(__file__).with_name("official_modules.json").read_text(encoding="utf-8"))
MODULES = [
    (package, module, names)
    for package in ("controller", "vehicle")
    for module, names in OFFICIAL[package].items()
]


@pytest.mark.parametrize(("package", "module", "names"), MODULES)
def test_a_module_has_its_names(package: str, module: str, names: list[str]):
    whole = importlib.import_module(package)
    found = whole if module == "__init__" else importlib.import_module(f"{package}.{module}")
    assert [name for name in names if not hasattr(found, name)] == []
    if module not in ("__init__", "constants", "wb"):
        for name in names:
            assert getattr(found, name) is getattr(whole, name)


MEMBERS = {name: names for name, names in OFFICIAL["members"].items() if name != "source"}


@pytest.mark.parametrize("name", MEMBERS)
def test_a_class_has_its_methods_properties_and_attributes(name: str, attach: Attach):
    """Judge: the classes of lib/controller/python in Webots R2023a and R2025a, with what __init__ sets."""
    attach(Loopback([]))
    class_ = getattr(vehicle if name in ("Car", "Driver") else importlib.import_module("controller"), name)
    one = MADE[name](class_) if name in MADE else class_
    assert [member for member in MEMBERS[name] if not hasattr(one, member)] == []


MADE: dict[str, Callable[[type], object]] = {
    "ContactPoint": lambda class_: class_(ContactPointData((0.0, 0.0, 0.0), 1)),
    "Robot": lambda class_: class_(),
}
"""Classes whose attributes only objects have."""


def test_a_submodule_can_be_imported_first():
    code = "from controller.robot import Robot; import controller; assert controller.Robot is Robot"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_functions_are_used_as_those_of_ctypes(monkeypatch: pytest.MonkeyPatch):
    given: list[object] = []

    def wb_robot_get_device(name: str) -> int:
        given.append(name)
        return 7

    def wb_motor_set_velocity(tag: int, velocity: float) -> None:
        given.extend((tag, velocity))

    def wb_emitter_send(tag: int, data: bytes, size: int) -> int:
        given.append(data)
        return 1

    for one in (wb_robot_get_device, wb_motor_set_velocity, wb_emitter_send):
        monkeypatch.setattr(api, one.__name__, one)
    monkeypatch.setattr(api, "wb_robot_get_name", lambda: "ann")
    wb = library.Library()
    wb.wb_motor_set_velocity.argtypes = [ctypes.c_int, ctypes.c_double]
    wb.wb_robot_get_name.restype = ctypes.c_char_p
    tag = wb.wb_robot_get_device(b"left motor")
    wb.wb_motor_set_velocity(tag, ctypes.c_double(1.5))
    wb.wb_emitter_send(tag, b"\xff", 1)
    assert wb.wb_robot_get_name().decode() == "ann"
    assert given == ["left motor", 7, 1.5, b"\xff"]


def test_a_function_that_the_library_lacks_is_an_attribute_error():
    with pytest.raises(AttributeError, match="wb_robot_fly: the controller library has no such function"):
        library.wb.wb_robot_fly()


def test_constants_have_the_values_of_the_c_api():
    assert library.constant("SF_BOOL") == controller.Field.SF_BOOL
    assert library.constant("CHANNEL_BROADCAST") == -1
    assert library.constant("ANSI_RESET", type=str) == controller.AnsiCodes.RESET
    for name, kind in (("NOTHING", int), ("ANSI_RESET", int)):
        with pytest.raises(ValueError, match=f"unknown constant {name} of type int"):
            library.constant(name, kind)
