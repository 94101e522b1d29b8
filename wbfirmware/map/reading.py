"""Read the hardware map of a robot (hardware.toml), and check it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wbridge.hal.table import DeviceEntry, DeviceTable
from wbridge.wbfirmware.boards.board import Board, BoardError, load_board
from wbridge.wbfirmware.boards.drivers import drivers, drivers_for
from wbridge.wbfirmware.boards.flavors import Flavor, load_flavor
from wbridge.wbfirmware.boards.parts import read_part
from wbridge.wbfirmware.map.baud import check_second_line, what_is_wrong
from wbridge.wbfirmware.map.channels import too_large
from wbridge.wbfirmware.map.checks import (
    check_addresses,
    check_common,
    check_counts,
    check_crossings,
    check_encoders,
    check_frequencies,
    check_pins,
    check_references,
    check_unique,
    missing_pull_ups,
    users_of_pins,
)
from wbridge.wbfirmware.map.controllers import Controller, find_controller
from wbridge.wbfirmware.map.device_rows import too_many
from wbridge.wbfirmware.map.edges import check_edges, slow_steppers
from wbridge.wbfirmware.map.encoder_timers import encoder_timer
from wbridge.wbfirmware.map.hardware import BATTERY, NONE, PORTS, REPORTS, Hardware, Link, Wiring
from wbridge.wbfirmware.map.network import check_network
from wbridge.wbfirmware.map.python_sources import find_python_controller
from wbridge.wbfirmware.map.tolerances import TEXT_MAY_DIFFER, read_text_reason, read_tolerance
from wbridge.wbfirmware.map.values import read_parameters
from wbridge.wbfirmware.problems import HardwareError, Problem, Source, nearest, read_source
from wbridge.wbfirmware.template_folders import all_board_folders, flavor_names

__all__ = ["FLAVORS", "controller_for", "load_hardware", "robot_of"]

FORMAT = 1
FLAVORS = flavor_names()
LEAST_MESSAGE, MOST_MESSAGE = 64, 16384
"""Bytes: a Welcome message must fit, and sizes have 16 bits."""
UNBOUNDED, HEAP = "unbounded_stack", "heap"
LEAST_HEAP, MOST_HEAP = 16, 1 << 20
KEYS = (
    *(
        "format",
        "world",
        "robot",
        "board",
        "flavor",
        "controller",
        UNBOUNDED,
        HEAP,
        *REPORTS,
        TEXT_MAY_DIFFER,
    ),
    *("link", BATTERY, "devices"),
)
LINK_KEYS = ("wire", "baud", "message", "table", "real", "port", "broker", "topic")


def robot_of(path: Path) -> tuple[Path, str]:
    """Return the world and the robot name of a hardware map.

    Raises:
        HardwareError: the file does not define them.
        OSError: the file cannot be read.
    """
    source = read_source(path)
    names = []
    for key in ("world", "robot"):
        value = source.data.get(key)
        if not isinstance(value, str) or not value:
            source.wrong((key,), f'{key}: expected a string, for example {key} = "{_example(key)}"')
        names.append(str(value))
    if source.problems:
        raise HardwareError(path, source.problems)
    return path.parent / names[0], names[1]


def _example(key: str) -> str:
    return "../worlds/rover.wbt" if key == "world" else "rover"


def load_hardware(
    path: Path, table: DeviceTable, controller: Path | None = None, needs_controller: bool = True
) -> Hardware:
    """Read the hardware map of a robot and check it; see docs/firmware.md for its format.

    Args:
        path: path of hardware.toml.
        table: the robot's device table.
        controller: folder of the robot's controller in the world, for maps without one.
        needs_controller: False leaves out the controller, which may then be missing.

    Raises:
        HardwareError: it has errors; all are listed with their lines.
        OSError: the file cannot be read.
    """
    source = read_source(path)
    _check_head(source)
    board = _board(source)
    if board is None:
        raise HardwareError(path, source.problems)
    link = _link(source, board)
    board = board.with_wire(link.wire)
    wirings = _wirings(source, table, board)
    flavor = load_flavor(_flavor(source.data))
    if board.python is not None:
        _check_python(source, board, flavor, wirings)
    sources = controller_for(source, board, flavor.name, controller) if needs_controller else None
    hardware = Hardware(path, table, board, flavor, link, wirings, sources)
    check_network(source, hardware)
    hardware = hardware._replace(
        unbounded_stack=_flag(source, UNBOUNDED),
        heap=_heap(source),
        reports=tuple(key for key in REPORTS if _reports(source, board, flavor, key)),
        text_may_differ=read_text_reason(source),
    )
    check_pins(source, hardware)
    check_addresses(source, hardware)
    check_common(source, hardware)
    check_unique(source, hardware)
    check_crossings(source, hardware)
    check_counts(source, hardware)
    check_references(source, hardware)
    check_second_line(source, hardware)
    hardware = hardware._replace(wirings=_with_timers(hardware))
    check_encoders(source, hardware)
    check_frequencies(source, hardware)
    check_edges(source, hardware)
    if not source.problems:
        _check_room(source, hardware)
    if source.problems:
        raise HardwareError(path, source.problems)
    doubts = (
        *_doubts(source, hardware.wirings),
        *missing_pull_ups(source, hardware),
        *slow_steppers(source, hardware),
    )
    return hardware._replace(doubts=doubts)


def controller_for(source: Source, board: Board, flavor: str, default: Path | None) -> Controller | None:
    """Return the controller of a hardware map, if its firmware has one; record problems.

    Args:
        source: the hardware map.
        board: its board.
        flavor: name of its flavor.
        default: folder of the robot's controller in the world, if any.
    """
    if board.python is not None:
        return find_python_controller(source, default)
    return find_controller(source, default) if load_flavor(flavor).controller else None


def _with_timers(hardware: Hardware) -> list[Wiring]:
    """Return the wirings, those of encoders with the timers that count them."""
    board = hardware.board
    uses = [(parameter.function, board.pins.get(pin, {})) for _, parameter, pin in users_of_pins(hardware)]
    taken = {number for function, functions in uses if (number := functions.get(function))}
    timed = []
    for wiring in hardware.wirings:
        timer = encoder_timer(board, wiring.driver, wiring.values, taken)
        taken |= {str(timer.number)} if timer else set()
        timed.append(wiring._replace(timer=timer))
    return timed


def _check_python(source: Source, board: Board, flavor: Flavor, wirings: list[Wiring]) -> None:
    """Check that a board with Python supports the flavor and the drivers."""
    if not (flavor.controller and flavor.drivers):
        source.wrong(
            ("flavor",),
            f'flavor: found "{flavor.name}"; {board.title} runs the controller: flavor = "standalone"',
        )
    for wiring in wirings:
        if not wiring.driver.has_python:
            able = [other.name for other in drivers_for(wiring.device) if other.has_python]
            listed = f"available: {', '.join([*able, NONE])}"
            text = f'the driver "{wiring.driver.name}" has no version in Python; {listed}'
            source.wrong((*wiring.keys, "driver"), f'"{wiring.device.name}": {text}')


def _flag(source: Source, key: str) -> bool:
    """Return the value of a key that is true or false, by default false."""
    value = source.data.get(key, False)
    if not isinstance(value, bool):
        source.wrong((key,), f"{key}: found {value!r}; allowed: true and false")
    return value is True


def _reports(source: Source, board: Board, flavor: Flavor, key: str) -> bool:
    """Return True if the board is to print something about itself, which one that runs a controller alone
    can."""
    value = _flag(source, key)
    if value and board.python is None and not (flavor.controller and flavor.drivers):
        why = f'found flavor = "{flavor.name}"'
        source.wrong((key,), f'{key}: {why}; a controller with flavor = "standalone" reports it')
    return value


def _heap(source: Source) -> int:
    """Return the bytes of the heap; 0: none."""
    size = source.data.get(HEAP, 0)
    if type(size) is int and (size == 0 or LEAST_HEAP <= size <= MOST_HEAP):
        return size
    allowed = f"allowed: 0 (none) and {LEAST_HEAP} to {MOST_HEAP} bytes"
    source.wrong((HEAP,), f"{HEAP}: found {size!r}; {allowed}")
    return 0


def _check_head(source: Source) -> None:
    data = source.data
    for key in data:
        if key not in KEYS:
            source.wrong((key,), f"{key}: unknown key; allowed: {', '.join(KEYS)}{nearest(key, KEYS)}")
    if data.get("format") != FORMAT:
        source.wrong(("format",), f"format: found {data.get('format')!r}; this version supports {FORMAT}")
    if data.get("flavor", FLAVORS[0]) not in FLAVORS:
        hint = nearest(str(data["flavor"]), FLAVORS)
        source.wrong(("flavor",), f"flavor: found {data['flavor']!r}; allowed: {', '.join(FLAVORS)}{hint}")
    elif "controller" in data and not load_flavor(_flavor(data)).controller:
        with_one = ", ".join(name for name in FLAVORS if load_flavor(name).controller)
        source.wrong(
            ("controller",),
            f"controller: the flavor {_flavor(data)} takes none; these do: {with_one}",
        )
    for key in ("link", BATTERY, "devices"):
        if not isinstance(data.setdefault(key, {}), dict):
            source.wrong((key,), f"{key}: expected a table [{key}]")
            data[key] = {}


def _flavor(data: dict[str, Any]) -> str:
    """Return the flavor, or the first one if it is invalid."""
    name = data.get("flavor")
    return name if name in FLAVORS else FLAVORS[0]


def _board(source: Source) -> Board | None:
    name, known = source.data.get("board"), list(all_board_folders(source.path.parent))
    if name in known:
        try:
            return load_board(str(name), source.path.parent)
        except BoardError as problem:
            source.wrong(("board",), str(problem))
            return None
    listed = ", ".join(known)
    source.wrong(("board",), f"board: found {name!r}; available: {listed}{nearest(str(name), known)}")
    return None


def _link(source: Source, board: Board) -> Link:
    data = source.data["link"]
    for key in data:
        if key not in LINK_KEYS:
            allowed = f"allowed: {', '.join(LINK_KEYS)}{nearest(key, LINK_KEYS)}"
            source.wrong(("link", key), f"link.{key}: unknown key; {allowed}")
    link = Link(
        data.get("wire", board.wires[0]),
        data.get("baud", board.baud.default if board.baud else 115200),
        data.get("message", board.message),
        data.get("table", board.table),
        data.get("real", board.real),
        data.get("port", PORTS.get(data.get("wire"), 0)),
        data.get("broker", ""),
        data.get("topic", ""),
    )
    _check_link(source, board, link)
    return link


def _check_link(source: Source, board: Board, link: Link) -> None:
    def wrong(key: str, allowed: str) -> None:
        source.wrong(("link", key), f"link.{key}: found {getattr(link, key)!r}; {allowed}")

    if link.wire not in board.wires:
        wrong("wire", f"{board.title} has {', '.join(board.wires)}")
    if type(link.message) is not int or not LEAST_MESSAGE <= link.message <= MOST_MESSAGE:
        wrong("message", f"allowed: {LEAST_MESSAGE} to {MOST_MESSAGE} bytes")
    if link.table not in (True, False):
        wrong("table", "allowed: true and false")
    if link.real not in (4, 8) or link.real > board.real:
        wrong("real", f"{board.title} has reals of {'4 and 8' if board.real == 8 else '4'} bytes")
    if type(link.baud) is not int or not 1200 <= link.baud <= 4_000_000:
        wrong("baud", "allowed: 1200 to 4000000")
    elif board.baud and (why := what_is_wrong(board, board.baud.divider, link.baud)):
        wrong("baud", why)


def _wirings(source: Source, table: DeviceTable, board: Board) -> list[Wiring]:
    """Return the wirings that could be read; record problems."""
    listed = source.data["devices"]
    names = [device.name for device in table.devices]
    for name in listed:
        if name not in names:
            source.wrong(
                ("devices", name),
                f'"{name}": the robot "{table.name}" has no such device'
                f"{nearest(name, names)}; wbridge devices lists them",
            )
    wirings = []
    if source.data[BATTERY]:
        wirings.append(_wiring(source, (BATTERY,), source.data[BATTERY], table.robot, board))
    for device in table.devices:
        if table.find(device.name) is not device:
            continue  # no controller can access it by its name
        if device.name not in listed:
            source.wrong(
                ("devices",),
                f'"{device.name}" ({device.type}) is missing; describe its wiring, or '
                f'exclude it from the board: [devices."{device.name}"] driver = "{NONE}"',
            )
            continue
        keys = ("devices", device.name)
        wirings.append(_wiring(source, keys, listed[device.name], device, board))
    return [wiring for wiring in wirings if wiring is not None]


def _wiring(
    source: Source, keys: tuple[str, ...], data: Any, device: DeviceEntry, board: Board
) -> Wiring | None:
    what = f'"{device.name}"'
    if not isinstance(data, dict) or not isinstance(data.get("driver"), str):
        source.wrong(keys, f"{what}: expected a table with a key driver")
        return None
    name = data["driver"]
    if name == NONE:
        return None
    driver, fitting = drivers().get(name), [driver.name for driver in drivers_for(device)]
    allowed = f"available for {device.type}: {', '.join([*fitting, NONE])}"
    if driver is None:
        source.wrong((*keys, "driver"), f'{what}: no driver "{name}"; {allowed}{nearest(name, drivers())}')
        return None
    if name not in fitting:
        source.wrong((*keys, "driver"), f'{what}: the driver "{name}" does not match; {allowed}')
        return None
    values = read_parameters(source, keys, data, device, driver, board)
    part, current = read_part(source, keys, data, device, driver)
    tolerance = read_tolerance(source, keys, data, device.name)
    return Wiring(device, driver, values, keys, part, current, tolerance)


def _doubts(source: Source, wirings: list[Wiring]) -> Iterator[Problem]:
    """Iterate over numbers far above the device's limits in the world: their unit may be wrong."""
    for wiring in wirings:
        for name, parameter in wiring.driver.parameters.items():
            limit = wiring.device.constants.get(parameter.at_least)
            if parameter.seldom_over and limit and wiring.values[name] > parameter.seldom_over * limit:
                yield Problem(
                    source.line(*wiring.keys, name),
                    f'"{wiring.device.name}": {name} is {wiring.values[name]:g}, but {parameter.at_least} of '
                    f"the device in the world is {limit:g}: is that the unit? ({parameter.about})",
                )


def _check_room(source: Source, hardware: Hardware) -> None:
    """Check that all values fit into messages."""
    for text in too_large(hardware):
        source.wrong(("link", "message"), text)
    for text in too_many(hardware) if hardware.controller is not None else ():
        source.wrong(("devices",), text)
