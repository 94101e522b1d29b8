"""Generate the part of the SWIG interface for Java that the specification determines.

These are the numbers of the constants, so that they can be used in `switch`, and the list of device classes.
"""

from __future__ import annotations

import re
from typing import Any

from scripts.c_headers import MARK
from scripts.cpp_classes import NODES, OLD_CLASSES, old_and_new
from scripts.former_constants import former_constants

Json = dict[str, Any]
HEAD = "/* {title}\n\n   " + MARK + " from hal/catalogue/spec; change that. */\n"
_ENUM = re.compile(r"(\w+) = (\w+|-?\d+)[,\n]")


def file(spec: Json, headers: dict[str, str]) -> str:
    """Return the text of the file.

    Args:
        spec: the specification of the API.
        headers: the text of the C++ headers, by path.
    """
    text = HEAD.format(title="What the interface for Java takes from the specification.")
    text += _constants(spec, headers) + _devices(spec)
    return text


def _values(spec: Json) -> dict[str, int]:
    values: dict[str, int] = {}
    for one in spec["enums"]:
        values |= {name: value for name, value in one["values"].items() if isinstance(value, int)}
    return values | former_constants(spec)


def _constants(spec: Json, headers: dict[str, str]) -> str:
    values = _values(spec)
    lines = []
    for path, text in sorted(headers.items()):
        found = re.search(r"^class (\w+)[^;]*\{$", text, re.MULTILINE)
        if found is None or "/src/" in path:
            continue
        for name, value in _ENUM.findall(text):
            number = value if re.fullmatch(r"-?\d+", value) else values.get(value)
            if number is not None:
                lines.append(f'%javaconstvalue("{number}") webots::{found[1]}::{name};\n')
    return "\n" + "".join(lines)


def _devices(spec: Json) -> str:
    classes = old_and_new(spec)["cpp_classes"]
    names = [name for name, one in classes.items() if one["base"] == "Device"]
    text = "\n" + "".join(f"DEVICE({name})\n" for name in names)
    text += "\n%typemap(javacode) webots::Device %{\n"
    text += "  private static final java.util.HashMap<Long, Device> known = new java.util.HashMap<>();\n\n"
    text += "  static synchronized Device keep(long pointer, Class<?> type,\n"
    text += "                                  java.util.function.LongFunction<Device> make) {\n"
    text += "    Device device = known.get(pointer);\n"
    text += "    if (!type.isInstance(device))\n      known.put(pointer, device = make.apply(pointer));\n"
    text += "    return device;\n  }\n\n"
    text += "  static Device of(long pointer) {\n    if (pointer == 0)\n      return null;\n"
    text += "    switch (new Device(pointer, false).getNodeType()) {\n"
    for name in names:
        if name not in OLD_CLASSES:
            snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper()
            text += "".join(f"      case Node.{one}:\n" for one in NODES.get(name, (snake,)))
            text += f"        return keep(pointer, {name}.class, one -> new {name}(one, false));\n"
    return (
        text
        + "      default:\n        return keep(pointer, Device.class, one -> new Device(one, false));\n"
        + "    }\n  }\n%}\n"
    )
