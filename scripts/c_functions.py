"""Generate the regular functions of the C library: sampling, plain device values, single field values.

Functions that a device's file in libcontroller/src/devices does not define are generated if they follow a
rule: enabling and disabling, the sampling period, the lookup table, and the value of a member of the device's
structure. Other functions stay undefined, and using them is a linker error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from scripts.api_methods import api_class
from scripts.api_sources import Sources
from scripts.c_devices import (
    INHERITED,
    CDevice,
    base_of,
    codes,
    devices,
    members,
    members_macro,
    reading,
    structure,
)
from scripts.c_headers import HEAD, WIDTH, prototype, wrapped
from wbridge.hal.protocol.devices import key_of
from wbridge.hal.protocol.node_types import NODES

Json = dict[str, Any]
ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "libcontroller" / "src"
RENAMED = {
    "camera": {
        "recognition_get_sampling_period": "recognition_period",
        "recognition_has_segmentation": "segmentation",
        "recognition_is_segmentation_enabled": "segmentation_enabled",
    },
    "gps": {"values": "position", "speed_vector": "velocity"},
    "inertial_unit": {"quaternion": "xyzw"},
    "led": {"get": "value"},
    "lidar": {"point_cloud_enabled": "cloud", "min_range": "image.near", "number_of_layers": "layers"},
    "microphone": {"sample_data": "samples"},
    "motor": {"force_feedback_sampling_period": "joint.base.period"},
    "radio": {"rx_sensitivity": "sensitivity", "tx_power": "power"},
    "range_finder": {"min_range": "image.near"},
}
"""Members of devices by the names of their functions, where these differ."""
CODEC_HEADER = """\
#ifndef {guard}
#define {guard}

#include "../device.h"

{codes}{members}
#endif
"""
SIBLINGS = {
    "get_brake": "WB_NODE_BRAKE",
    "get_motor": "WB_NODE_ROTATIONAL_MOTOR",
    "get_position_sensor": "WB_NODE_POSITION_SENSOR",
}
"""Functions that find another device of a joint, and the types of its node."""
NEUTRAL = {"double": "NAN", "int": "0", "bool": "false", "const char *": '""'}
KIND_FILES = {"RotationalMotor": "motor", "LinearMotor": "motor"}


def files(spec: Json) -> dict[str, str]:
    """Return the text of each file by its name."""
    sources = Sources(spec)
    made: dict[str, str] = {}
    for device in devices():
        made |= _device(device, sources)
    made["former.c"] = _former(sources)
    made["field_values.h"] = _field_values(spec)
    made["node_types.h"] = _node_types()
    made["kinds.h"] = _kinds()
    return made


class Structure:
    """The members of a device's structure: those for its messages, and those declared in its file."""

    def __init__(self, device: CDevice) -> None:
        self.first = device.first
        self.members: dict[str, str] = dict(INHERITED[self.first])
        self.arrays = set()
        for name, type_ in members(device).items() if device.is_made else ():
            self.members[name] = name
            if "*" in type_:
                self.arrays.add(name)
        body = re.search(rf"typedef struct {{([^{{}}]*)}} {device.class_name};", device.by_hand)
        plain = re.sub(r"/\*.*?\*/", "", body[1]) if body else ""
        for declaration in plain.split(";")[1:]:
            for name, array in re.findall(r"(\w+)(\[\d+\])?\s*(?:,|$)", declaration.strip()):
                self.members[name] = name
                if array:
                    self.arrays.add(name)
        for name, to in RENAMED.get(device.key, {}).items():
            self.members[name] = to
            if to in self.arrays:
                self.arrays.add(name)


def _device(device: CDevice, sources: Sources) -> dict[str, str]:
    """Return the generated files of a device; a whole one if nothing is hand-written."""
    key, name = device.key, device.class_name
    regular = "\n".join(_regular(device, sources))
    if not device.by_hand:
        title = f"A {name}, which needs nothing by hand."
        parts = (_includes(key), codes(device), structure(device), reading(device), regular)
        return {f"{key}.c": HEAD.format(title=title) + "\n".join(parts)}
    made = {}
    if device.is_made:
        title = f"Codes of commands and messages of a {name}, and what messages carry."
        guard = f"{key.upper()}_CODEC_H"
        body = CODEC_HEADER.format(guard=guard, codes=codes(device), members=members_macro(device))
        made[f"{key}_codec.h"] = HEAD.format(title=title) + body
    read = reading(device) + "\n" if device.is_made else ""
    if f'"../generated/{key}.h"' in device.by_hand:
        title = f"Regular functions of the kind {name}; {key}.c includes them."
        made[f"{key}.h"] = HEAD.format(title=title) + "\n" + read + regular
    return made


def _includes(key: str) -> str:
    return f'#include <math.h>\n#include <webots/{key}.h>\n\n#include "../device.h"\n'


def _regular(device: CDevice, sources: Sources) -> Iterator[str]:
    """Iterate over the API functions that follow a rule."""
    own = Structure(device)
    for name, function in sorted(sources.functions.items()):
        if not name.startswith(f"wb_{device.key}_") or function["kind"] != "function":
            continue
        if name in _by_hand() or name in _replaced(sources):
            continue
        body = _body(function, device, own, sources)
        if body:
            yield f"{wrapped(prototype(function) + ' {')}\n{body}}}\n"


def _body(function: Json, device: CDevice, structure: Structure, sources: Sources) -> str:
    name: str = function["name"]
    method = name.removeprefix(f"wb_{device.key}_")
    found = f"device_find(tag, &{device.key}_kind, __func__);\n"
    plain = f"  const Device *device = {found}"
    what = device.enable.removeprefix("enable")
    if method == device.enable:
        period = function["params"][1]["name"]
        return f"  Device *device = {found}  if (device)\n    device_enable(device, {period}, __func__);\n"
    if method == f"disable{what}":
        return f"  Device *device = {found}  if (device)\n    device_enable(device, 0, __func__);\n"
    if method == f"get{what}_sampling_period":
        return f"{plain}  return device ? device->period : 0;\n"
    if method == "get_lookup_table_size":
        return f"{plain}  return device ? device->rows : 0;\n"
    if method == "get_lookup_table":
        return f"{plain}  return device ? device->table : NULL;\n"
    if device.first == "joint" and (node := SIBLINGS.get(method)):
        place = f"&self->joint, {device.key.upper()}_GET_SIBLING, {node}, __func__"
        return f"  {device.class_name} *self = {found}  return self ? find_sibling({place}) : 0;\n"
    if method in device.codec.command_codes:
        return _setter(function, method, device, structure, found)
    member = method.removeprefix("get_").removeprefix("is_").removeprefix("has_")
    return _getter(function, member, device, structure, sources, found)


def _setter(function: Json, method: str, device: CDevice, structure: Structure, found: str) -> str:
    place = structure.members.get(method.removeprefix("set_"))
    types = device.codec.commands[device.codec.command_codes[method]].layout.types or ()
    if place is None or len(types) != 1:
        return ""
    code = f"&self->{base_of(structure.first)}, {device.key.upper()}_{method.upper()}"
    name = function["params"][1]["name"]
    put = f"put_{types[0]}(device_command({code}), self->{place} = {name})"
    check = f' && !is_nan(__func__, "{name}", {name})' if types[0] == "f64" else ""
    return f"  {device.class_name} *self = {found}  if (self{check})\n    {put};\n"


def _getter(
    function: Json, member: str, device: CDevice, structure: Structure, sources: Sources, found: str
) -> str:
    place = structure.members.get(member)
    if place is None:
        return ""
    returned = prototype(function).partition("wb_")[0].strip()
    neutral = "NULL" if member in structure.arrays else NEUTRAL.get(returned, f"({returned})0")
    cast = f"({returned})" if returned.startswith("Wb") else ""
    body = f"  const {device.class_name} *self = {found}"
    work = sources.work(function["name"])
    if work and api_class(work.owner.class_name).methods[work.name].checks_enabled:
        base = f"&self->{base_of(structure.first)}"
        check = f'device_check_on({base}, ({base})->period > 0, "{device.enable}", __func__)'
        if device.enable == "enable":
            check = f"device_check_enabled({base}, __func__)"
        body += f"  if (self)\n    {check};\n"
    return body + f"  return self ? {cast}self->{place} : {neutral};\n"


@cache
def _by_hand() -> set[str]:
    """Return the names of the functions that are written by hand."""
    texts = (path.read_text("utf-8") for path in SOURCES.rglob("*.c") if path.parent.name != "generated")
    return {name for text in texts for name in re.findall(r"^\w[\w *]*\b(wbu?_\w+)\([^;{]*{", text, re.M)}


@cache
def _replaced(sources: Sources) -> dict[str, str]:
    """Return functions with other names, such as former ones, and those that they call."""
    targets = {}
    for name, function in sources.functions.items():
        to = next(iter(function.get("replaced_by", ())), "")
        if name.startswith("wb_motor_") and "torque" in name:
            to = name.replace("torque", "force")
        if to in sources.functions and name not in _by_hand() and function["kind"] == "function":
            targets[name] = to
    return dict(sorted(targets.items()))


def _former(sources: Sources) -> str:
    """Return the functions that only call others; messages name them, which the program has called."""
    made, headers = [], set()
    for name, to in _replaced(sources).items():
        function = sources.functions[name]
        headers |= {function["header"], sources.functions[to]["header"]}
        call = f"{to}({', '.join(one['name'] for one in function.get('params', ()))})"
        type_ = prototype(function).split(name)[0]
        if type_ != prototype(sources.functions[to]).split(to)[0]:
            call = f"({function['return']}){call}"
        body = f"  REPORT_AS_OWN({call});\n"
        if function["return"] != "void":
            body = f"  {type_}result;\n  REPORT_AS_OWN(result = {call});\n  return result;\n"
        made.append(f"{wrapped(prototype(function) + ' {')}\n{body}}}\n")
    includes = "".join(f"#include <{one}>\n" for one in sorted(headers))
    head = HEAD.format(title="Functions that only call others: former names, and torque for force.")
    return f'{head}{includes}\n#include "../report.h"\n\n' + "\n".join(made)


# Fields: the value type, its C type, and how it is read from a Value.
SCALARS = {"bool": "false", "int32": "0", "float": "0"}


def _field_values(spec: Json) -> str:
    made = []
    for function in sorted(spec["functions"], key=lambda one: str(one["name"])):
        match = re.fullmatch(r"wb_supervisor_field_(get|set|insert)_([sm]f)_(\w+)", function["name"])
        if match:
            made.append(
                f"{wrapped(prototype(function) + ' {')}\n{_field_body(function, *match.groups())}}}\n"
            )
    title = "Reading, setting and inserting single values of fields, by type; field_values.c includes them."
    return HEAD.format(title=title) + "\n" + "\n".join(made)


def _field_body(function: Json, verb: str, many: str, type_: str) -> str:
    names = [one["name"] for one in function["params"]]
    field, item = names[0], names[1] if many == "mf" else "SINGLE"
    number = f"WB_{many.upper()}_{type_.upper()}"
    if verb == "get":
        return f"  const Value *value = field_get({field}, {number}, {item}, __func__);\n" + _result(type_)
    value = names[-1]
    if type_ == "string":
        given = f"NULL, {value}"
    elif type_ in SCALARS:
        given = f"(double[]){{{value}}}, NULL"
    else:
        given = f"{value}, NULL"
    return f"  field_{verb}({field}, {number}, {item}, {given}, __func__);\n"


def _result(type_: str) -> str:
    if type_ == "bool":
        return "  return value ? value->numbers[0] != 0 : false;\n"
    if type_ == "int32":
        return "  return value ? (int)value->numbers[0] : 0;\n"
    if type_ == "float":
        return "  return value ? value->numbers[0] : 0;\n"
    if type_ == "string":
        return '  return value && value->text ? value->text : "";\n'
    return f"  return value ? value->{'node' if type_ == 'node' else 'numbers'} : NULL;\n"


def _node_types() -> str:
    """Return the names of node types."""
    names = "".join(f'    "{name}",\n' for name in NODES)
    head = HEAD.format(title="Names of node types in the order of their numbers.")
    return f"{head}\nstatic const char *const TYPE_NAMES[] = {{\n{names}}};\n"


def _kinds() -> str:
    """Return the device kinds that have a file, by their node types."""
    keys = {one.key for one in devices()}
    found = {name: KIND_FILES.get(name) or key_of(name) for name in NODES}
    kinds = {name: key for name, key in found.items() if key in keys}
    declared = "".join(f"extern const Kind {key}_kind;\n" for key in sorted(set(kinds.values())))
    lines = "".join(f"    [{NODES.index(name)}] = &{key}_kind, /* {name} */\n" for name, key in kinds.items())
    title = "The kinds of devices by the numbers of their node types."
    assert all(len(line) <= WIDTH for line in lines.splitlines())
    return (
        HEAD.format(title=title)
        + f'\n#include "../device.h"\n\n{declared}'
        + f"\nstatic const Kind *const KINDS[{len(NODES)}] = {{\n{lines}}};\n"
    )
