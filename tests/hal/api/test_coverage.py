"""Every function and class of the specification is there, or is listed here with the reason."""

import importlib
import inspect
from functools import cache
from typing import Any

import pytest

import controller
import vehicle
from scripts.generated import specification
from wbridge.hal import api

ELSEWHERE = {
    "PhysicsPlugin": "functions of plugins in the simulator",
    "RemoteControlPlugin": "functions that a remote-control plugin offers",
    "RobotWindow": "functions of window plugins, which live in the library of the controller",
    "RobotWindowPlugin": "functions that a window plugin offers",
}
MISSING = {"wbu_string_strsep": "changes memory through pointers; use str.split"}
SLIPS = {
    "wb_camera_get_type": "printed without its tag",
    "wb_robot_get_battery_sampling_period": "printed with a tag",
    "wb_supervisor_proto_is_derived": "printed with a second parameter that no implementation has",
    "wbu_motion_get_time": "printed with a second parameter that no implementation has",
}
"""Functions that the manuals print with other parameters than they have."""
WWI = {"wb_robot_wwi_receive", "wb_robot_wwi_receive_text", "wb_robot_wwi_send", "wb_robot_wwi_send_text"}


@cache
def spec() -> dict[str, Any]:
    data: dict[str, Any] = specification("api")
    return data


def wanted() -> dict[str, dict[str, Any]]:
    return {
        one["name"]: one
        for one in spec()["functions"]
        if (one["device"] not in ELSEWHERE or one["name"] in WWI) and one["name"] not in MISSING
    }


def test_every_function_exists_with_a_docstring():
    found = {name: getattr(api, name, None) for name in wanted()}
    assert [name for name, one in found.items() if not callable(one) or not inspect.getdoc(one)] == []


def test_what_is_listed_as_missing_is_missing():
    assert [name for name in MISSING if hasattr(api, name)] == []


def test_functions_take_as_many_arguments_as_in_c():
    # Python needs no place for a size, and takes lists where C takes a pointer and a length.
    different = []
    for name, one in wanted().items():
        parameters = [p for p in one.get("params") or [] if p["type"] not in ("int *", "void")]
        function = inspect.signature(getattr(api, name)).parameters.values()
        least = sum(p.default is p.empty for p in function)
        if name not in SLIPS and not least <= len(parameters) <= len(function):
            different.append(f"{name}: {len(parameters)} in C, {least} to {len(function)} here")
    assert different == []


def test_every_constant_with_a_value_exists():
    values = {
        name: one["value"]
        for name, one in spec()["constants"].items()
        if one.get("value") is not None and (name.startswith("WB_") or "vehicle" in str(one["header"]))
    }
    assert {name: getattr(api, name, None) for name in values} == values


def classes() -> dict[str, dict[str, Any]]:
    return {
        name: one
        for name, one in spec()["python_classes"].items()
        if one["module"].startswith(("controller.", "vehicle."))
    }


def test_every_class_has_its_methods_and_properties():
    missing = []
    for name, one in classes().items():
        if name in ("Device", "Sensor"):
            continue
        class_ = getattr(vehicle if one["module"].startswith("vehicle.") else controller, name)
        names = [*one["methods"], *one["properties"]]
        missing += [f"{name}.{attribute}" for attribute in names if not hasattr(class_, attribute)]
    fields = {"LidarPoint", "MouseState", "RadarTarget"}
    assert [entry for entry in missing if entry.partition(".")[0] not in fields] == []


def test_methods_of_webots_8_are_there():
    moved = {
        "Camera.getMaxRange",
        "Camera.getRangeImage",
        "Camera.getRangeImageArray",
        "Camera.rangeImageGetDepth",
    }
    gone = {"ImageRef"}
    missing = []
    for name, methods in spec()["python_classes_8_3_1"].items():
        if name not in gone:
            names = {method.partition("(")[0] for method in methods} - {"__del__"}
            missing += [
                f"{name}.{one}" for one in sorted(names) if not hasattr(getattr(controller, name), one)
            ]
    assert set(missing) <= moved


def test_all_modules_of_the_api_can_be_imported():
    places = importlib.import_module("wbridge.hal.api")._PLACES
    assert {
        hasattr(importlib.import_module(f"wbridge.hal.api.{module}"), name) for name, module in places.items()
    } == {True}


@pytest.mark.parametrize("name", ["wb_motor_set_velocty", "Motr"])
def test_other_names_are_no_names(name: str):
    for module in (api, controller, vehicle):
        with pytest.raises(AttributeError):
            getattr(module, name)
