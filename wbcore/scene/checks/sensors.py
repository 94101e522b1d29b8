"""Devices: lookup tables, batteries, rays, colors of LEDs, fields of view."""

from __future__ import annotations

from math import pi

from wbridge.wbcore.scene.checks._checker import Checker
from wbridge.wbcore.scene.limits import MOST_LOOKUP_ROWS
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.ranges import PI_SLACK
from wbridge.wbcore.scene.resets import PLANAR_VIEW, is_too_wide
from wbridge.wbcore.scene.values import VecArray

_BATTERY = 3
_WANTED = "needed: 3 (energy in J, its maximum in J, charging speed in W)"


def check_lookup_table(node: Node, checker: Checker) -> None:
    """Check that the first column of a lookup table is ascending (manual, 3.26.2)."""
    if node.use_of is not None or "lookupTable" not in node.fields:
        return
    table = node.get("lookupTable")
    if not isinstance(table, VecArray):
        return
    rows = len(table.data) // 3
    if rows > MOST_LOOKUP_ROWS:
        text = f"{node.type}.lookupTable has {rows} rows; allowed: {MOST_LOOKUP_ROWS}"
        checker.error("out-of-bounds", text, node, "lookupTable")
        return
    inputs = list(table.data[0::3])
    for row, (before, now) in enumerate(zip(inputs, inputs[1:], strict=False)):
        if now < before:
            text = f"{node.type}.lookupTable: the input of row {row + 2} is {now:g}, that of row {row + 1}"
            checker.warn("lookup-table", f"{text} {before:g}; inputs must rise", node, "lookupTable")
            return
    if inputs and inputs[0] < 0 and node.spec.is_a("DistanceSensor"):
        text = f"{node.type}.lookupTable starts at the distance {inputs[0]:g}; a distance is 0 or more"
        checker.warn("lookup-table", text, node, "lookupTable")


def check_rays(node: Node, checker: Checker) -> None:
    """Check that a laser has one ray."""
    rays = node.get("numberOfRays")
    if node.use_of is None and node.get("type") == "laser" and rays > 1:
        text = f"DistanceSensor.numberOfRays is {rays}; a laser has 1 ray; 1 is used instead"
        checker.warn("laser-rays", text, node, "numberOfRays")


def check_battery(node: Node, checker: Checker) -> None:
    """Check that a battery has three values (energy, capacity, charging power) or none."""
    battery = node.get("battery")
    if node.use_of is not None or not len(battery):
        return
    if len(battery) != _BATTERY:
        found = f"{len(battery)} value" + "s" * (len(battery) > 1)
        checker.warn("battery", f"{node.type}.battery has {found}; {_WANTED}", node, "battery")
    elif battery[0] > battery[1]:
        text = f"{node.type}.battery holds {battery[0]:g} J of at most {battery[1]:g} J"
        checker.warn("battery", text, node, "battery")


def check_charger(node: Node, checker: Checker) -> None:
    """Check that a charger has a battery."""
    if node.use_of is None and not len(node.get("battery")):
        checker.warn("battery", f"Charger.battery is empty; {_WANTED}", node, "battery")


def check_lamp(node: Node, checker: Checker) -> None:
    """Check that a gradual LED has at most one color."""
    colors = len(node.get("color"))
    if node.use_of is None and node.get("gradual") and colors > 1:
        text = f"LED.color has {colors} colors; a gradual LED has one, or none for all; the first is used"
        checker.warn("led-colors", text, node, "color")


def check_view(node: Node, checker: Checker) -> None:
    """Check that a planar image covers at most half a turn."""
    angle = node.get("fieldOfView")
    if node.use_of is None and angle <= 2 * pi + PI_SLACK and is_too_wide(node, "fieldOfView", angle):
        text = f"{node.type}.fieldOfView is {angle:g}; a planar image has at most pi"
        checker.warn("field-of-view", f"{text}; {PLANAR_VIEW} is used instead", node, "fieldOfView")


def check_emitter(node: Node, checker: Checker) -> None:
    """Check that the range is not above its maximum."""
    reach, limit = node.get("range"), node.get("maxRange")
    if node.use_of is None and limit != -1 and (reach > limit or reach == -1):
        text = f"Emitter.range is {reach:g}, maxRange {limit:g}; {limit:g} is used instead"
        checker.warn("emitter-range", text, node, "range")


def check_connector(node: Node, checker: Checker) -> None:
    """Check that an active connector can lock by itself (3.17.2)."""
    if node.use_of is not None or node.get("type") != "active":
        return
    for name in ("unilateralLock", "unilateralUnlock"):
        if not node.get(name):
            text = f"Connector.{name} is FALSE; an active Connector could never {name[10:].lower()}"
            checker.warn("connector", text + " then; it must be TRUE", node, name)


NODE_RULES = (
    ("Device", check_lookup_table),
    ("DistanceSensor", check_rays),
    ("Robot", check_battery),
    ("Charger", check_battery),
    ("Charger", check_charger),
    ("LED", check_lamp),
    ("Camera", check_view),
    ("RangeFinder", check_view),
    ("Lidar", check_view),
    ("Emitter", check_emitter),
    ("Connector", check_connector),
)
