"""What a hardware map defines: driver and pins of each device of a robot, and the link to the board."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from wbridge.hal.table import DeviceEntry, DeviceTable
from wbridge.wbfirmware.boards.board import Board
from wbridge.wbfirmware.boards.drivers import Driver
from wbridge.wbfirmware.boards.flavors import Flavor
from wbridge.wbfirmware.map.controllers import Controller
from wbridge.wbfirmware.map.encoder_timers import EncoderTimer
from wbridge.wbfirmware.map.tolerances import Tolerance
from wbridge.wbfirmware.problems import Problem

__all__ = ["BATTERY", "NONE", "PORTS", "REPORTS", "TEXT", "Hardware", "Link", "Wiring"]

NONE = "none"
"""In place of a driver: the device is not on the board."""
BATTERY = "battery"
"""The table with the robot's own driver."""
REPORTS = {"report_load": "REPORT_LOAD", "report_devices": "REPORT_DEVICES"}
"""Keys of what a board prints about itself, and the C constants that switch them on."""
PORTS = {"tcp": 8080, "tcps": 8443, "mqtt": 1883}
"""Usual ports of networks by wire."""
TEXT = "text"
"""Key of `Board.wire_parts`: the wire of boards that send what their controller prints over TCP."""


class Link(NamedTuple):
    """The transport of the robot link to the board."""

    wire: str
    """serial, usb, tcp, tcps or mqtt."""
    baud: int
    message: int
    """Maximum message size in bytes."""
    table: bool
    """Whether the board has the device table."""
    real: int
    """Bytes of reals: 4 or 8."""
    port: int = 0
    """Of TCP, on boards with Wi-Fi, or of the MQTT broker."""
    broker: str = ""
    """Name or address of the MQTT broker."""
    topic: str = ""
    """The robot's topic there."""


class Wiring(NamedTuple):
    """A device with its driver."""

    device: DeviceEntry
    driver: Driver
    values: dict[str, Any]
    """Values of the driver's parameters: pin names, numbers, truth values, device names, rows of numbers."""
    keys: tuple[str, ...]
    """Its keys in the hardware map."""
    part: str = ""
    """Name of its part; "": the usual one of the driver."""
    current: float | None = None
    """A that it draws; None: that of its part."""
    tolerance: Tolerance | None = None
    """How far its values may differ in `wbridge firmware verify`, beyond what is always allowed."""
    timer: EncoderTimer | None = None
    """The timer that counts it; None: it is no encoder, or interrupts count it."""


class Hardware(NamedTuple):
    """A hardware map that was read and checked."""

    path: Path
    table: DeviceTable
    board: Board
    flavor: Flavor
    link: Link
    wirings: list[Wiring]
    """In the order of the device table, without devices that are not on the board."""
    controller: Controller | None = None
    """The controller, for flavors that compile one in."""
    doubts: tuple[Problem, ...] = ()
    """Values that are allowed but probably unintended."""
    unbounded_stack: bool = False
    """Build a controller even if its stack has no bound."""
    heap: int = 0
    """Bytes of RAM for malloc and so on; 0: none."""
    reports: tuple[str, ...] = ()
    """What the board prints about itself: keys of `REPORTS`."""
    text_may_differ: str = ""
    """Why the controller may print other text on the board than on the desktop; "": it may not."""

    @property
    def networked(self) -> bool:
        """True if the wire has several connections at once."""
        return self.link.wire in PORTS and self.link.wire in self.board.project.wire_parts

    @property
    def wire_key(self) -> str:
        """Key of the wire's files in `Board.wire_parts`: text over a network has files of its own."""
        return TEXT if self.networked and self.flavor.text else self.link.wire

    @property
    def absent(self) -> list[DeviceEntry]:
        """Return the devices without a driver."""
        served = {wiring.device.tag for wiring in self.wirings}
        return [device for device in self.table.devices if device.tag not in served]
