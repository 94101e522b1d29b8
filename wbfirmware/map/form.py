"""A hardware map as a form: what a page shows of it, and the changes that a person makes there.

The text of the map is the only store, so that a form and an editor can take turns: a change keeps comments,
order and layout. Every state is shown with all its problems; only a map without problems has a wiring.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from wbridge.hal.table import DeviceEntry, DeviceTable
from wbridge.wbfirmware.boards.board import FUNCTIONS, Board, load_board
from wbridge.wbfirmware.boards.drivers import BUS, Driver, Parameter, drivers, drivers_for
from wbridge.wbfirmware.bringup.map_editing import changed, replaced_table
from wbridge.wbfirmware.map.hardware import NONE, Hardware
from wbridge.wbfirmware.map.pin_allocation import Choice
from wbridge.wbfirmware.map.propose import device_lines, obstacle, propose
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbfirmware.problems import HardwareError, Problem, Source
from wbridge.wbfirmware.template_folders import all_board_folders
from wbridge.wbfirmware.wiring.connections import plan_wiring
from wbridge.wbfirmware.wiring.drawing import draw_wiring
from wbridge.wbfirmware.wiring.electrical import electrical_warnings

DEVICES = "devices"


class _Use(NamedTuple):
    """A parameter of a device that names a pin."""

    device: DeviceEntry
    parameter: Parameter
    pin: str


def boards() -> list[dict[str, object]]:
    """Return all boards, for a list: name, title, and is_python (programs in Python need no compiler)."""
    loaded = [load_board(name) for name in all_board_folders()]
    return [
        {"name": board.name, "title": board.title, "is_python": board.python is not None} for board in loaded
    ]


class MapForm:
    """The form of one robot."""

    def __init__(
        self, table: DeviceTable, world: str, file: Path, board: str, controller: Path | None = None
    ) -> None:
        """Begin with proposed drivers and pins.

        Args:
            table: the robot's device table.
            world: path of the world, relative to the hardware map.
            file: the hardware map, written with each change.
            board: name of a board.
            controller: folder of the robot's controller.

        Raises:
            BoardError: there is no such board.
        """
        self._table, self._world, self._file, self._controller = table, world, file, controller
        self.begin(board)

    def begin(self, board: str) -> None:
        """Propose a new map for a board.

        Raises:
            BoardError: there is no such board.
        """
        self.take(propose(self._table, self._world, board))

    def take(self, text: str) -> None:
        """Take a whole map, such as a person has written it."""
        self.text = text
        self._file.write_text(text, encoding="utf-8")

    def set(self, device: str, name: str, value: object) -> None:
        """Set a parameter of a device's driver.

        Raises:
            HardwareError: the text is no TOML.
            EditError: its table is written in a form that cannot be edited.
        """
        source = Source(self._file, self.text)
        self.take(changed(source.path, self.text, {(DEVICES, device, name): value}))

    def choose(self, device: str, driver: str) -> None:
        """Give a device another driver, with free pins; "none" takes it off the board.

        Raises:
            HardwareError: the text is no TOML.
            ValueError: there is no such device, or the driver cannot serve it.
        """
        source, entry = Source(self._file, self.text), self._device(device)
        board = self._board(source)
        if board is None:
            raise ValueError("choose a board first")
        chosen = dict(self._choices(source, board))
        chosen[entry.tag] = self._choice(entry, driver, board, chosen) if driver != NONE else None
        lines = device_lines(self._table, board, entry, chosen)
        if driver == NONE:
            lines = [lines[0], f'driver = "{NONE}"']
        self.take(replaced_table(self._file, self.text, (DEVICES, device), lines))

    def hardware(self, needs_controller: bool = False) -> Hardware:
        """Return the map, checked.

        Raises:
            HardwareError: it has problems.
        """
        return load_hardware(self._file, self._table, self._controller, needs_controller)

    def shown(self) -> dict[str, Any]:
        """Return what a page shows.

        Returns:
            text: the map; robot: its name; board: its name, or ""; is_python: whether the board runs Python;
            devices: name, type, driver, drivers (name, about, and why it cannot be used, or ""), parameters
            (name, about, kind, value, and choices: pairs of a value and its label, or null);
            pins: name, labels, functions, and users (device, parameter); problems: text, line, device (or
            ""), and whether it is only a doubt; wiring: an SVG text, or "".
        """
        shown: dict[str, Any] = {"text": self.text, "robot": self._table.name, "board": "", "wiring": ""}
        shown |= {"is_python": False, "devices": [], "pins": []}
        try:
            source = Source(self._file, self.text)
        except HardwareError as error:
            return shown | {"problems": self._problems(None, error.problems)}
        if (board := self._board(source)) is not None:
            shown |= {"board": board.name, "is_python": board.python is not None}
            shown["devices"] = [self._shown_device(source, board, entry) for entry in self._entries()]
            shown["pins"] = self._shown_pins(source, board)
        try:
            hardware = self.hardware()
        except HardwareError as error:
            return shown | {"problems": self._problems(source, error.problems)}
        plan = plan_wiring(hardware)
        warnings = [Problem(1, warning.text) for warning in electrical_warnings(plan)]
        shown["problems"] = self._problems(source, [*hardware.doubts, *warnings], is_doubt=True)
        return shown | {"wiring": draw_wiring(plan)}

    # The map as it is, with or without problems.

    def _entries(self) -> list[DeviceEntry]:
        """Return the devices that controllers can access by their names."""
        return [device for device in self._table.devices if self._table.find(device.name) is device]

    def _device(self, name: str) -> DeviceEntry:
        for device in self._entries():
            if device.name == name:
                return device
        raise ValueError(f'the robot "{self._table.name}" has no device "{name}"')

    @staticmethod
    def _board(source: Source) -> Board | None:
        name = source.data.get("board")
        if name not in all_board_folders():
            return None
        board = load_board(str(name))
        link = source.data.get("link")
        wire = link.get("wire") if isinstance(link, dict) else None
        return board.with_wire(wire if wire in board.wires else board.wires[0])

    @staticmethod
    def _values(source: Source, device: DeviceEntry) -> Mapping[str, Any]:
        listed = source.data.get(DEVICES)
        values = listed.get(device.name) if isinstance(listed, dict) else None
        return values if isinstance(values, dict) else {}

    def _driver(self, source: Source, device: DeviceEntry) -> Driver | None:
        return drivers().get(str(self._values(source, device).get("driver")))

    def _uses(self, source: Source, board: Board) -> Iterator[_Use]:
        for device in self._entries():
            driver, values = self._driver(source, device), self._values(source, device)
            for parameter in driver.parameters.values() if driver is not None else ():
                pin = _pin(board, values.get(parameter.name))
                if parameter.kind == "pin" and pin:
                    yield _Use(device, parameter, pin)

    def _choices(self, source: Source, board: Board) -> Iterator[tuple[int, Choice | None]]:
        """Return drivers and pins as the proposal has them, by tag."""
        counts: dict[str, int] = {}
        for device in self._table.devices:
            driver = self._driver(source, device)
            if driver is None or self._table.find(device.name) is not device:
                yield device.tag, None
                continue
            values, place = self._values(source, device), counts.get(driver.name, 0)
            counts[driver.name] = place + 1
            pins = {name: _pin(board, values.get(name)) for name in driver.parameters}
            yield device.tag, Choice(driver, {name: pin for name, pin in pins.items() if pin}, place)

    def _choice(
        self, device: DeviceEntry, name: str, board: Board, chosen: Mapping[int, Choice | None]
    ) -> Choice:
        """Return a driver for a device with pins that no other device uses; buses are shared."""
        able = {driver.name: driver for driver in drivers_for(device)}
        if name not in able:
            raise ValueError(f'"{device.name}" can have these drivers: {", ".join([*able, NONE])}')
        if why := obstacle(device, able[name], board):
            raise ValueError(why)
        others = [choice for tag, choice in chosen.items() if choice is not None and tag != device.tag]
        before = chosen.get(device.tag)
        pins = _free_pins(able[name], before.pins if before is not None else {}, others, board)
        place = sum(choice.driver is able[name] for choice in others)
        return Choice(able[name], pins, place)

    # What is shown.

    def _shown_device(self, source: Source, board: Board, device: DeviceEntry) -> dict[str, Any]:
        driver, values = self._driver(source, device), self._values(source, device)
        offered = [[each.name, each.about, obstacle(device, each, board)] for each in drivers_for(device)]
        parameters = driver.parameters.values() if driver is not None else ()
        return {
            "name": device.name,
            "type": device.type,
            "driver": str(values.get("driver", "")),
            "drivers": [[NONE, "not on the board", ""], *offered],
            "parameters": [
                {
                    "name": parameter.name,
                    "about": parameter.about,
                    "kind": parameter.kind,
                    "value": values.get(parameter.name, parameter.default),
                    "choices": self._options(source, board, parameter),
                }
                for parameter in parameters
            ],
        }

    def _options(
        self, source: Source, board: Board, parameter: Parameter
    ) -> Sequence[Sequence[object]] | None:
        """Return what a parameter can be, each with its label; None for numbers and lists of numbers."""
        if parameter.kind == "pin":
            able = [(board.name_of(pin), board.label_of(pin)) for pin in board.able(parameter.function)]
            return [*([("", "not connected")] if parameter.is_spare else []), *able]
        if parameter.kind == "choice":
            return [(choice, f"{choice:g}") for choice in parameter.choices]
        if parameter.kind == "flag":
            return [(False, "no"), (True, "yes")]
        if parameter.kind != "device":
            return None
        able_drivers = parameter.able_drivers
        names = [
            device.name
            for device in self._entries()
            if (driver := self._driver(source, device)) is not None and driver.name in able_drivers
        ]
        return [("", "none"), *((name, name) for name in names)]

    def _shown_pins(self, source: Source, board: Board) -> list[dict[str, Any]]:
        uses = list(self._uses(source, board))
        return [
            {
                "name": board.name_of(pin),
                "label": board.label_of(pin),
                "functions": [FUNCTIONS[name] for name in functions if name in FUNCTIONS],
                "users": [[use.device.name, use.parameter.name] for use in uses if use.pin == pin],
                "is_shared": all(use.parameter.function in BUS for use in uses if use.pin == pin),
            }
            for pin, functions in board.pins.items()
        ]

    def _problems(
        self, source: Source | None, problems: Sequence[Problem], is_doubt: bool = False
    ) -> list[dict[str, object]]:
        lines = (
            {source.line(DEVICES, device.name): device.name for device in self._entries()} if source else {}
        )

        def device_at(line: int) -> str:
            above = [start for start in lines if 1 < start <= line]
            return lines[max(above)] if above else ""

        return [
            {"text": each.text, "line": each.line, "device": device_at(each.line), "is_doubt": is_doubt}
            for each in problems
        ]


def _pin(board: Board, name: object) -> str:
    """Return the pin that a map names, by its own name; "" if there is none."""
    if not isinstance(name, str):
        return ""
    own = board.circuit.names.get(name, name)
    return own if own in board.pins else ""


def _free_pins(
    driver: Driver, before: Mapping[str, str], others: Sequence[Choice], board: Board
) -> dict[str, str]:
    """Return pins for a driver: those that the device has had, pins of a bus that is there, or free ones.

    Without a free pin, the first that has the function: the map then shows who else uses it.
    """
    buses = {
        parameter.function: choice.pins[name]
        for choice in others
        for name, parameter in choice.driver.parameters.items()
        if parameter.is_shared and name in choice.pins
    }
    taken = {pin for choice in others for pin in choice.pins.values()} | set(board.circuit.second_bus)
    timers = dict(_timers(others, board))
    pins: dict[str, str] = {}
    for parameter in driver.parameters.values():
        if parameter.kind != "pin" or parameter.is_spare:
            continue
        function, able = parameter.function, board.able(parameter.function)
        free = [pin for pin in able if pin not in taken]
        kept = before.get(parameter.name, "")
        pins[parameter.name] = buses.get(
            function, kept if kept in free else _best(free or able, function, timers, board)
        )
        taken.add(pins[parameter.name])
    return pins


def _best(pins: Sequence[str], function: str, timers: Mapping[str, str], board: Board) -> str:
    """Return the pin whose timer has no other mode, and that neither the board nor a bus may need."""

    def rank(pin: str) -> tuple[bool, bool, bool]:
        functions = board.pins[pin]
        is_other_mode = timers.get(functions.get(function, ""), function) != function
        return is_other_mode, pin in board.circuit.proposed_last, any(line in functions for line in BUS)

    return min(pins, key=rank)


def _timers(choices: Sequence[Choice], board: Board) -> Iterator[tuple[str, str]]:
    """Return the timers that are in use, each with the function of its pins."""
    for choice in choices:
        for name, pin in choice.pins.items():
            function = choice.driver.parameters[name].function
            if timer := board.pins[pin].get(function, ""):
                yield timer, function
