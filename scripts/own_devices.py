"""Add wbridge's own devices to the specification.

A kind in hal/catalogue/devices.json with the entry "node" is such a device. Its node, functions and classes
are derived from the catalogue and from its class in methods.json, so that nodes and functions in the
specification are only facts about Webots.
"""

from __future__ import annotations

import json
from typing import Any

from scripts.api_methods import Method, api_class
from wbridge.hal.catalogue import DATA, DeviceKind, kinds
from wbridge.hal.protocol.devices import key_of

__all__ = ["own_nodes", "with_own_devices"]

Json = dict[str, Any]
OLD, NEW = "8.3.1", "recent-index"
ERAS = [OLD, NEW]
C_TYPES = {
    "None": "void",
    "bool": "bool",
    "int": "int",
    "float": "double",
    "str": "const char *",
    "list[float]": "const double *",
}
"""The C and C++ types of a Python type."""
OF_SENSORS = ("enable", "disable", "get_sampling_period")
OF_TABLES = ("get_lookup_table_size", "get_lookup_table")
ONLY_IN_C = ("get_lookup_table_size",)
INHERITED = (*OF_SENSORS, *OF_TABLES)


def with_own_devices(name: str, spec: Json) -> Json:
    """Return the specification "api" or "nodes" completed by wbridge's own devices."""
    own = own_nodes()
    if not own:
        return spec
    if name == "nodes":
        return {**spec, "nodes": {**spec["nodes"], **{kind: _node(kind, own[kind]) for kind in own}}}
    for kind in own:
        spec = _with_api(spec, kinds()[kind])
    return spec


def own_nodes() -> dict[str, dict[str, list[str]]]:
    """Return types and defaults of the fields of wbridge's own devices, by node."""
    kinds_ = json.loads(DATA.read_bytes())["kinds"]
    return {kind: data["node"] for kind, data in kinds_.items() if "node" in data}


def _node(name: str, fields: dict[str, list[str]]) -> Json:
    """Return a node of the specification; it is in all releases."""
    made = []
    for field, (type_, default) in fields.items():
        meaning = {"type": type_, "default": default}
        made.append(
            {"name": field, "type": type_, "versions": dict.fromkeys(ERAS, meaning), "default": default}
        )
    return {
        "kind": "device",
        "abstract": False,
        "versions": ERAS,
        "base": {OLD: ["Device"], NEW: ["Device", "Solid"]},
        "status": "current",
        "wb_node": _constant(name),
        "fields": made,
    }


def _constant(name: str) -> str:
    return f"WB_NODE_{key_of(name).upper()}"


def _with_api(spec: Json, kind: DeviceKind) -> Json:
    methods = api_class(kind.class_name).methods
    header = f"webots/{key_of(kind.name)}.h"
    functions = [_function(kind, header, one, method) for one, method in methods.items()]
    classes = {
        "python_classes": _python_class(kind, methods),
        "cpp_classes": {
            "base": "Device",
            "header": f"webots/{kind.class_name}.hpp",
            "methods": [one["cpp_signature"] for one in functions],
        },
    }
    enums = [_with_number(one, kind.name) if one["name"] == "WbNodeType" else one for one in spec["enums"]]
    return {
        **spec,
        "enums": enums,
        "functions": [*spec["functions"], *functions],
        **{key: {**spec[key], kind.class_name: made} for key, made in classes.items()},
    }


def _with_number(enum: Json, name: str) -> Json:
    """Add a node type after Webots' own, so that their numbers stay."""
    values = enum["values"]
    return {**enum, "values": {**values, _constant(name): len(values)}}


def _parameters(method: Method) -> list[tuple[str, str]]:
    return [(one.name, C_TYPES[str(one.annotation)]) for one in method.parameters]


def _returns(method: Method) -> str:
    return C_TYPES[method.returns]


def camel(name: str) -> str:
    """Return the name of a method in the object API: get_value becomes getValue."""
    first, *others = name.split("_")
    return first + "".join(one.capitalize() for one in others)


def _function(kind: DeviceKind, header: str, name: str, method: Method) -> Json:
    parameters, returns = _parameters(method), _returns(method)
    space = "" if returns.endswith("*") else " "
    listed = ", ".join(["WbDeviceTag tag", *(f"{type_} {one}" for one, type_ in parameters)])
    after = " const" if name.startswith(("get_", "is_")) else ""
    given = ", ".join(f"{type_} {camel(one)}" for one, type_ in parameters)
    is_property = name.startswith("get_") and name not in INHERITED and not parameters
    return {
        "name": kind.prefix + name,
        "kind": "function",
        "device": kind.class_name,
        "header": header,
        "return": returns,
        "params": [{"name": one, "type": type_} for one, type_ in [("tag", "WbDeviceTag"), *parameters]],
        "signature": f"{returns}{space}{kind.prefix}{name}({listed})",
        "versions": ERAS,
        "deprecated": False,
        "removed": False,
        **({"python_property": f"{kind.class_name}.{name.removeprefix('get_')}"} if is_property else {}),
        "cpp_signature": f"{returns}{space}{camel(name)}({given}){after}",
        "python": None if name in ONLY_IN_C else f"{kind.class_name}.{camel(name)}",
        "cpp": f"{kind.class_name}::{camel(name)}",
    }


def _python_class(kind: DeviceKind, methods: dict[str, Method]) -> Json:
    is_sensor = "enable" in methods
    own = [one for one in methods if one not in (*OF_SENSORS, *ONLY_IN_C)]
    arguments = {one: ", ".join(["self", *(name for name, _ in _parameters(methods[one]))]) for one in own}
    return {
        "base": ["Sensor" if is_sensor else "Device"],
        "module": f"controller.{key_of(kind.name)}",
        "methods": {camel(one): text for one, text in arguments.items()},
        "properties": {
            one.removeprefix("get_"): "read-only"
            for one in own
            if one.startswith("get_") and arguments[one] == "self"
        },
        "constants": {},
    }
