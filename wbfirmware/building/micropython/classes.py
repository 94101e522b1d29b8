"""Write the module `controller` of a board: the classes of the object API that its devices can serve."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wbridge.hal.catalogue import kinds
from wbridge.wbfirmware.building.micropython.names import (
    SERVED_BY,
    ApiClass,
    api_classes,
    class_of,
    work_file,
    work_names,
)
from wbridge.wbfirmware.map.api import why_not
from wbridge.wbfirmware.map.hardware import Hardware

INHERITED = {
    "enable", "disable", "getSamplingPeriod", "sampling_period", "getName", "getModel", "getNodeType", "name",
    "model", "node_type", "tag", "__init__", "__del__", "devices",
}  # fmt: skip
"""Names that the classes of firmware_templates/micropython have themselves."""
HEAD = '''"""The classes of the object API for the devices of this robot."""
from wb import robot
from wb.device import Device, Sensor
'''


def prefixes(class_name: str) -> list[str]:
    """Return the prefixes of the C functions for a class."""
    return [kind.prefix for kind in kinds().values() if kind.class_name == class_name]


def work_of(class_name: str, function: str) -> str:
    """Return the work method behind a C function: "set_position" for "wb_motor_set_position"."""
    fitting = [prefix for prefix in prefixes(class_name) if function.startswith(prefix)]
    return function.removeprefix(max(fitting, key=len, default=""))


def unavailable(class_name: str, function: str, hardware: Hardware) -> str:
    """Return why a board does not offer a function of a class; "" if it does."""
    if not function:
        return "a board does not offer it: it needs a computer or a simulation"
    why = why_not(SERVED_BY.get(function, function), hardware)
    if not why and work_of(class_name, function) not in work_names(class_name):
        why = f"controllers in Python on boards do not offer it (C function {function})"
    return why


def offered(api_class: ApiClass, hardware: Hardware) -> Iterator[str]:
    """Iterate over the lines that give a class its names."""
    own = f"_{api_class.name}"
    for name, value in api_class.constants.items():
        yield f"{name} = {value!r}"
    for name, function in api_class.methods.items():
        if name not in INHERITED and not unavailable(api_class.name, function, hardware):
            work = work_of(api_class.name, function)
            yield "" if work == name else f"{name} = {own}.{work}"
    for name, (getter, setter) in api_class.properties.items():
        if name not in INHERITED and not unavailable(api_class.name, getter, hardware):
            write = f", {own}.{setter}" if setter in work_names(api_class.name) else ""
            yield f"{name} = property({own}.{work_of(api_class.name, getter)}{write})"


def controller_module(hardware: Hardware, imported: Iterable[str]) -> str:
    """Return the text of the module.

    Args:
        hardware: the hardware map.
        imported: names that the user's controller imports; classes without devices are empty.
    """
    used = {class_of(device.type) for device in hardware.table.devices} | set(imported) | {"Robot"}
    lines = [HEAD]
    for name in sorted(used & api_classes().keys() - {"Device", "Sensor", "Supervisor"}):
        lines += _class(api_classes()[name], hardware)
    return "\n".join(lines)


def _class(api_class: ApiClass, hardware: Hardware) -> Iterator[str]:
    """Iterate over the lines of a class."""
    path = work_file(api_class.name)
    base = "Sensor" if "Sensor" in api_class.bases else "Device"
    if path is not None:
        yield f"from wb.{path.stem} import {api_class.name} as _{api_class.name}"
    else:
        yield f"_{api_class.name} = {base}"
    yield f"\n\nclass {api_class.name}(_{api_class.name}):"
    body = [line for line in offered(api_class, hardware) if line]
    yield from (f"    {line}" for line in body or ["pass"])
    yield f"\n\nrobot.classes[{api_class.name!r}] = {api_class.name}"
