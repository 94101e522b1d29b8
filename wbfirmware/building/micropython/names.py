"""The names of the object API (Robot, Motor ...), and the functions of the C API behind them."""

from __future__ import annotations

import ast
import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

from wbridge.hal.catalogue import kinds
from wbridge.wbfirmware.map.api import ApiKind, api_kinds
from wbridge.wbfirmware.template_folders import templates_path

CORE = "micropython"
"""Folder of the templates that all boards with Python share."""
DEVICE, SENSOR = "Device", "Sensor"
SERVED_BY = {
    f"wb_receiver_get_{name}": "wb_receiver_get_data"
    for name in ("bytes", "string", "floats", "ints", "bools")
}
"""Names in the form of C functions for methods that only Python has, and the function that they need."""


class ApiClass(NamedTuple):
    """A class of the object API."""

    name: str
    bases: list[str]
    methods: dict[str, str]
    """The function of the C API behind each method; "" if there is none."""
    properties: dict[str, list[str]]
    """The function of the C API that reads each property, and the work method that sets it ("": none)."""
    constants: dict[str, float | str]


@cache
def api_classes() -> dict[str, ApiClass]:
    """Return all classes by name."""
    path = templates_path() / CORE / "names.json"
    data = json.loads(path.read_text(encoding="utf-8"))["classes"]
    for function in SERVED_BY:
        method = f"get{function.rpartition('_')[2].capitalize()}"
        data["Receiver"]["methods"][method] = function
    data["Receiver"]["properties"]["string"] = ["wb_receiver_get_string", ""]
    return {name: ApiClass(name, **value) for name, value in data.items()}


def class_of(node_type: str) -> str:
    """Return the class of devices of a node type; "Device" if the object API has none."""
    kind = kinds().get(node_type)
    return kind.class_name if kind is not None and kind.class_name in api_classes() else DEVICE


def kind_of(class_name: str) -> ApiKind | None:
    """Return the functions that boards offer for a class; None if they offer none."""
    fitting = (kind for kind in api_kinds().values() if class_name in map(class_of, kind.devices))
    return next(fitting, None)


def work_file(class_name: str) -> Path | None:
    """Return the MicroPython file that does the work of a class; None if `Sensor` is enough."""
    kind = kind_of(class_name)
    if class_name == "Robot":
        return templates_path() / CORE / "robot.py"
    path = None if kind is None else kind.folder / f"{kind.key}.py"
    return path if path is not None and path.is_file() else None


@cache
def work_names(class_name: str) -> frozenset[str]:
    """Return the methods that the MicroPython class for an API class has, inherited ones included."""
    path = work_file(class_name)
    if path is None:
        is_simple = SENSOR in api_classes()[class_name].bases and kind_of(class_name) is not None
        return _methods(templates_path() / CORE / "device.py", SENSOR) if is_simple else frozenset()
    return _methods(path, class_name)


def _methods(path: Path, class_name: str) -> frozenset[str]:
    names: set[str] = set()
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.ClassDef) and statement.name == class_name:
            names |= {part.name for part in statement.body if isinstance(part, ast.FunctionDef)}
            assigned = (part for part in statement.body if isinstance(part, ast.Assign))
            names |= {t.id for part in assigned for t in part.targets if isinstance(t, ast.Name)}
            for base in statement.bases:
                names |= _methods(templates_path() / CORE / "device.py", ast.unparse(base))
    return frozenset(names)
