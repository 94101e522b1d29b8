"""A message about a wrong argument names the function that the program called, and never a neighbor.

The judge is each header: functions, their arguments and types are read from the prototypes. The functions of
Python are those of its API, with their signatures.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.c.calling import run_against
from tests.c.test_calls import world
from tests.c.test_null import _name, _type, _value, compiled, declared, parts

HERE = Path(__file__).parent
NAMED = re.compile(r"(?:Error|Warning): (wb\w+)\(\)")
WRONG = {"double": ("NAN", "-1e300", "1e300"), "int": ("-7", "2000000000")}
"""Values that are hardly ever allowed, by the types of C."""
UNMEASURED = ("wb_supervisor_simulation_quit", "wb_robot_step", "wb_robot_task", "wb_robot_wait", "wbu_car_")
UNMEASURED += ("wbu_driver_", "wb_radio_send", "wb_radio_message_")
"""Functions that end, that wait, that need a car, or whose other arguments are no references here."""
OF_THE_ROBOT = {
    ("wb_device_get_model", "0"),
    ("wb_device_get_name", "0"),
    ("wb_device_get_node_type", "0"),
    ("wb_device_get_type", "0"),
    ("wb_supervisor_node_get_from_device", "0"),
}
"""0 is the robot itself."""
OF_ALL_KINDS = {function for function, _ in OF_THE_ROBOT}
"""They work for devices of all kinds."""
IGNORED = "wb_robot_get_battery_sampling_period"
"""The manual lists a tag as its argument, which means nothing."""


@cache
def calls_with_tags() -> dict[tuple[str, str], str]:
    """C code of each call with a tag of no device, of the robot, or of another kind of device."""
    calls = {}
    for function, parameters in declared().items():
        for place, one in enumerate(parameters):
            if _type(one) != "WbDeviceTag" or function.startswith("wbr_"):
                continue
            kind = "led" if "speaker" in function else "speaker"
            for key, tag in {"0": "0", "99": "99", "kind": f'wb_robot_get_device("{kind}")'}.items():
                arguments = [tag if k == place else _value(function, p) for k, p in enumerate(parameters)]
                calls[function, f"{_name(one, place)} {key}"] = f"{function}({', '.join(arguments)});"
    return calls


@cache
def calls_with_numbers() -> dict[tuple[str, str], str]:
    """C code of each call with one wrong number."""
    calls = {}
    for function, parameters in declared().items():
        if function.startswith(UNMEASURED) or "image_get_" in function:
            continue
        has_memory = any("*" in _type(one) for one in parameters)
        for place, one in enumerate(parameters):
            for number in WRONG.get(_type(one), ()):
                if number == WRONG["int"][1] and has_memory:
                    continue  # it could be the size of the memory
                arguments = [number if k == place else _value(function, p) for k, p in enumerate(parameters)]
                calls[function, f"{_name(one, place)} {number}"] = f"{function}({', '.join(arguments)});"
    return calls


def spoken(calls: dict[tuple[str, str], str], folder: Path) -> dict[tuple[str, str], list[str]]:
    """What each call says in C."""
    said = parts(run_against([str(compiled(calls, folder)), "running"], world()()).said)
    assert set(said) == set(calls)
    return said


def silent(said: dict[tuple[str, str], list[str]]) -> set[tuple[str, str]]:
    """The calls without a message, each with the wrong value."""
    return {(function, what.rpartition(" ")[2]) for (function, what), lines in said.items() if not lines}


def strangers(said: dict[tuple[str, str], list[str]]) -> dict[tuple[str, str], list[str]]:
    """The messages that name another function than the called one."""
    return {
        call: lines
        for call, lines in said.items()
        if any((match := NAMED.match(line)) is None or match[1] != call[0] for line in lines)
    }


def expected(functions: set[str]) -> set[tuple[str, str]]:
    """The calls with tags that need no message."""
    right = OF_THE_ROBOT | {(function, "kind") for function in OF_ALL_KINDS}
    right |= {(IGNORED, key) for key in ("0", "99", "kind")}
    return {one for one in right if one[0] in functions}


@pytest.mark.usefixtures("c_home")
def test_a_wrong_tag_in_c(tmp_path: Path):
    said = spoken(calls_with_tags(), tmp_path)
    assert len(said) > 800
    assert strangers(said) == {}
    assert silent(said) == expected({function for function, _ in said})
    assert {call for call, lines in said.items() if len(lines) > 1} == set()


@pytest.mark.usefixtures("c_home")
def test_a_wrong_number_in_c(tmp_path: Path):
    """NaN is always a message, except where a text says it, and for values that a plugin sets."""
    said = spoken(calls_with_numbers(), tmp_path)
    assert len(said) > 400
    assert strangers(said) == {}
    nan = {function for function, number in silent(said) if number == "NAN"}
    assert {one for one in nan if not one.startswith("wbr_")} == {"wb_gps_convert_to_degrees_minutes_seconds"}


def test_a_wrong_tag_in_python():
    said = parts(run_against([sys.executable, str(HERE / "wrong_tags.py")], world()()).said)
    assert len(said) > 800
    assert strangers(said) == {}
    assert silent(said) == expected({function for function, _ in said})
    assert {call for call, lines in said.items() if len(lines) > 1} == set()
