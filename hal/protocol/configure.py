"""The configure packet, which describes the robot to its controller before the first step."""

from __future__ import annotations

from typing import Any, NamedTuple

from wbridge.hal.protocol.dialect import R2023A, Dialect, from_version
from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.layout import Layout

CONFIGURE = 0
"""Code of the robot's and of the supervisor's description."""
NEW_DEVICES = 15
"""Code of the message that appends devices."""

_ENTRY = Layout("node_type:u16 name:str model:str")
_NAMES = Layout("name:str version:str")
_START = Layout("supervisor:bool synchronization:bool devices:u16 node_type:u16 time:f64")
_NAME = Layout("name:str")
_REST = Layout(
    "basic_time_step:f64 project_path:str world_path:str model:str window_library:str remote_library:str "
    "controller:str custom_data:str show_window:bool html_window:bool simulation_mode:i32"
)
_OWN = Layout("id:u32 parent:u32 is_proto:bool in_proto:bool model:str def_name:str")
_COUNT = Layout("count:u16")


class Entry(NamedTuple):
    """A device in the list."""

    node_type: str
    name: str
    model: str


class RobotInfo(NamedTuple):
    """Properties of the robot and of the simulation."""

    name: str
    version: str = ""
    """Version of the simulator, for example "R2025a"; R2023a and older send none."""
    supervisor: bool = False
    synchronization: bool = True
    devices: tuple[Entry, ...] = ()
    """Device k has tag k + 1."""
    time: float = 0.0
    """Simulated time, in s."""
    basic_time_step: float = 32.0
    """In ms."""
    project_path: str = ""
    world_path: str = ""
    model: str = ""
    window_library: str = ""
    remote_library: str = ""
    controller: str = "<extern>"
    custom_data: str = ""
    show_window: bool = False
    html_window: bool = False
    simulation_mode: int = 2
    """0 paused, 1 real time, 2 fast."""


class SelfNode(NamedTuple):
    """A supervisor's own node."""

    id: int
    parent: int
    """0 is the root."""
    is_proto: bool
    in_proto: bool
    model: str
    """Name of the PROTO, or of the base type."""
    def_name: str


def write_robot(out: bytearray, info: RobotInfo, dialect: Dialect) -> None:
    """Append the robot's description, without tag and code.

    Raises:
        ProtocolError: a device's node type has no number in the dialect.
    """
    if dialect.name_first:
        _NAMES.write(out, (info.name, info.version))
    robot = dialect.numbers["Robot"]
    _START.write(out, (info.supervisor, info.synchronization, len(info.devices) + 1, robot, info.time))
    if not dialect.name_first:
        _NAME.write(out, (info.name,))
    write_entries(out, info.devices, dialect)
    _REST.write(out, info[6:])


def read_robot(data: bytes, at: int) -> tuple[RobotInfo, Dialect, int]:
    """Decode the robot's description at `at`; also return its dialect and the offset after it.

    In R2023a the description begins with two booleans, in later releases with the robot's name.
    """
    if data[at : at + 1] <= b"\1" and data[at + 1 : at + 2] <= b"\1":
        dialect = R2023A
        start, at = _START.read(data, at)
        names, at = _NAME.read(data, at)
        names = (*names, "")
    else:
        names, at = _NAMES.read(data, at)
        dialect = from_version(names[1])
        start, at = _START.read(data, at)
    supervisor, synchronization, count, _, time = start
    entries, at = read_entries(data, at, count - 1, dialect)
    rest, at = _REST.read(data, at)
    info: tuple[Any, ...] = (*names, supervisor, synchronization, entries, time, *rest)
    return RobotInfo(*info), dialect, at


def write_entries(out: bytearray, entries: tuple[Entry, ...], dialect: Dialect) -> None:
    """Append a list of devices, without its count."""
    for entry in entries:
        if entry.node_type not in dialect.numbers:
            raise ProtocolError(
                f'the device "{entry.name}" is of type {entry.node_type}, which {dialect.name} does not know'
            )
        _ENTRY.write(out, (dialect.numbers[entry.node_type], entry.name, entry.model))


def read_entries(data: bytes, at: int, count: int, dialect: Dialect) -> tuple[tuple[Entry, ...], int]:
    """Decode a list of devices at `at`; also return the offset after it. Unknown node types become ""."""
    if not 0 <= count * _ENTRY.least <= len(data) - at:
        raise ProtocolError(f"a list of {count} devices in {len(data) - at} remaining bytes")
    entries = []
    for _ in range(count):
        (number, name, model), at = _ENTRY.read(data, at)
        entries.append(Entry(dialect.node(number), name, model))
    return tuple(entries), at


def write_new_devices(out: bytearray, entries: tuple[Entry, ...], dialect: Dialect) -> None:
    """Append the message that adds devices to those already listed, without tag and code."""
    _COUNT.write(out, (len(entries),))
    write_entries(out, entries, dialect)


def read_new_devices(data: bytes, at: int, dialect: Dialect) -> tuple[tuple[Entry, ...], int]:
    """Decode the message that adds devices; also return the offset after it."""
    (count,), at = _COUNT.read(data, at)
    return read_entries(data, at, count, dialect)


def write_own(out: bytearray, own: SelfNode) -> None:
    """Append the supervisor's description, without tag and code."""
    _OWN.write(out, own)


def read_own(data: bytes, at: int) -> tuple[SelfNode, int]:
    """Decode the supervisor's description at `at`; also return the offset after it."""
    values: tuple[Any, ...]
    values, at = _OWN.read(data, at)
    return SelfNode(*values), at
