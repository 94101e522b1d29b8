"""Names of solids and devices: unique where controllers or the physics use them, and not empty."""

from __future__ import annotations

from collections.abc import Iterable

from wbridge.wbcore.scene.checks._checker import Checker, is_placeholder_body, nearest
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.places import instance_of


def check_solid_names(checker: Checker) -> None:
    """Check that solids with the same parent, or at the top level, have different names."""
    groups: dict[tuple[int, str], list[Node]] = {}
    for solid in checker.all("Solid"):
        if solid.use_of is None and not is_placeholder_body(solid):
            parent = nearest(solid, "Solid")
            groups.setdefault((id(parent), solid.get("name")), []).append(solid)
    for (_, name), solids in groups.items():
        if len(solids) > 1 and name and not all(solid.spec.is_a("Device") for solid in solids):
            text = f'{len(solids)} solids beside each other are named "{name}"{_lines(solids)}'
            text += "; each needs a name of its own"
            checker.warn("repeated-name", text, instance_of(solids[1]), "name")


def check_device_names(checker: Checker) -> None:
    """Check the names of a robot's devices, by which controllers find them."""
    groups: dict[tuple[int, str], list[Node]] = {}
    for device in checker.all("Device"):
        robot = nearest(device, "Robot")
        if robot is not None and device.use_of is None and not is_placeholder_body(device):
            groups.setdefault((id(robot), device.get("name")), []).append(device)
    for (_, name), devices in groups.items():
        if not name:
            for other in devices:
                text = f"this {other.type} has an empty name; no controller can find it"
                checker.warn("empty-name", text, instance_of(other), "name")
        elif len(devices) > 1:
            kinds = ", ".join(dict.fromkeys(device.type for device in devices))
            text = f'{len(devices)} devices of one robot are named "{name}" ({kinds}){_lines(devices)}'
            checker.warn(
                "repeated-name", f"{text}; controllers find the first only", instance_of(devices[1]), "name"
            )


def _lines(nodes: Iterable[Node]) -> str:
    """Return the lines of the nodes if they are in one file."""
    places = [instance_of(node) for node in nodes]
    sources = {place.source for place in places}
    source = sources.pop() if len(sources) == 1 else None
    if source is None:
        return ""
    lines = list(dict.fromkeys(str(source.place(place.offset)[0]) for place in places))
    if len(lines) == 1:
        return ""
    return " (lines " + ", ".join(lines[:6]) + (", ...)" if len(lines) > 6 else ")")


def check_coupled_motors(checker: Checker) -> None:
    """Check motors named "a::b", which move together with the others with the same "a"."""
    groups: dict[tuple[int, str], list[Node]] = {}
    for motor in checker.all("Motor"):
        robot, parts = nearest(motor, "Robot"), motor.get("name").split("::")
        if robot is not None and len(parts) == 2 and motor.use_of is None:
            groups.setdefault((id(robot), parts[0]), []).append(motor)
    for (_, name), motors in groups.items():
        if len(motors) == 1:
            text = f'{motors[0].type} is named "{motors[0].get("name")}", but no other motor of its robot is '
            checker.warn("coupled-motor", f'{text}named "{name}::..."; nothing is coupled', motors[0], "name")


WORLD_RULES = (check_solid_names, check_device_names, check_coupled_motors)
