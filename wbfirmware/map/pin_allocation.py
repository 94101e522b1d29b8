"""Assign drivers and pins to the devices of a robot so that as many devices as possible can be served.

Assigning pins to parameters is a bipartite matching, which is exact for any choice of drivers and timer
modes. The drivers are chosen by a search over the devices, most important ones first, which stops after a
number of tries with the best result so far.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count, product
from typing import NamedTuple

from wbridge.hal.table import DeviceEntry
from wbridge.wbfirmware.boards.board import Board
from wbridge.wbfirmware.boards.drivers import Driver, Parameter

TRIES = 1500
"""Maximum tries to assign pins to a device; then the best result so far is used."""
PULLED = " with pull-up"
"""Behind a function: pins whose inputs have a pull-up."""
MOST_TIMERS = 6
"""Timers for which both modes are tried; any others make PWM."""
LAMP = "LED"
WEIGHTS = {"RotationalMotor": 8, "LinearMotor": 8, "Servo": 8, "DistanceSensor": 4, "TouchSensor": 4}
WEIGHTS |= {"Accelerometer": 3, "Gyro": 3, "Compass": 3, "PositionSensor": 2, "LightSensor": 2}
"""Importance of serving a device of a type; all others: 1."""


class User(NamedTuple):
    """The use of a pin."""

    tag: int
    """Tag of the device; 0 for a bus."""
    name: str
    """Name of the parameter; for a bus, the function."""
    function: str


class Choice(NamedTuple):
    """A driver of a device and the pins of its parameters."""

    driver: Driver
    pins: dict[str, str]
    place: int
    """Index of the device among those of the driver, which selects its address."""


class DriverChoice(NamedTuple):
    """A device and the drivers that can serve it, the best one first."""

    device: DeviceEntry
    drivers: tuple[Driver, ...]

    @property
    def weight(self) -> int:
        """Its importance."""
        return WEIGHTS.get(self.device.type, 1)

    @property
    def kind(self) -> tuple[int, tuple[str, ...]]:
        """Devices of the same kind are interchangeable."""
        return self.weight, tuple(driver.name for driver in self.drivers)


def allot(requests: Sequence[DriverChoice], board: Board) -> dict[int, Choice | None]:
    """Return drivers and pins by tag; None for devices that are left out.

    Args:
        requests: the devices.
        board: the board with the pins.
    """
    ordered: Sequence[DriverChoice] = sorted(requests, key=lambda request: (-request.weight, request.kind[1]))
    search = _search(ordered, board)
    if search.has_given_up:
        ordered, search = _with_lamps_last(ordered, search, board)
    choices: dict[int, Choice | None] = {request.device.tag: None for request in requests}
    pairs = zip(ordered, search.drivers, strict=True)
    served = [(request.device, driver) for request, driver in pairs if driver is not None]
    if search.layout is None:
        return choices
    layout = _with_encoder_timers(search.layout, served, board)
    lamps = {device.tag for device, _ in served if device.type == LAMP}
    only_outputs = [pin for pin in board.circuit.proposed_last if "input" not in board.pins[pin]]
    layout = layout.with_lamps_at(only_outputs, lamps)
    counts: dict[str, int] = {}
    for device, driver in served:
        place = counts.get(driver.name, 0)
        counts[driver.name] = place + 1
        choices[device.tag] = Choice(driver, layout.pins_of(device, driver), place)
    return choices


def _search(ordered: Sequence[DriverChoice], board: Board) -> _Search:
    search = _Search(ordered)
    search.go(_Layouts(_empty_layouts(board)), [], 0)
    return search


def _with_lamps_last(
    ordered: Sequence[DriverChoice], search: _Search, board: Board
) -> tuple[Sequence[DriverChoice], _Search]:
    """Return the devices and their drivers of a search that leaves no device out because of LEDs, of which a
    robot can have many, for a search that has ended early."""
    lamps = [driver_choice for driver_choice in ordered if driver_choice.device.type == LAMP]
    others = [driver_choice for driver_choice in ordered if driver_choice.device.type != LAMP]
    alone = _search(others, board)
    served = sum(
        driver_choice.weight
        for driver_choice, of in zip(ordered, search.drivers, strict=True)
        if of and driver_choice not in lamps
    )
    if sum(choice.weight for choice, of in zip(others, alone.drivers, strict=True) if of) <= served:
        return ordered, search
    fixed = [
        DriverChoice(choice.device, () if of is None else (of,))
        for choice, of in zip(others, alone.drivers, strict=True)
    ]
    return [*fixed, *lamps], _search([*fixed, *lamps], board)


def _with_encoder_timers(layout: _Layout, served: Served, board: Board) -> _Layout:
    """Return a layout in which timers count encoders, as far as all other devices keep their drivers."""
    fixed: dict[str, User] = {}
    timers: set[str] = set()
    for device, driver in served:
        for feature in (feature for feature in driver.features.values() if feature.pins):
            users = [User(device.tag, name, _function(driver.parameters[name])) for name in feature.pins]
            for timer, channels in board.timing.encoders.items():
                wanted = {**fixed, **dict(zip(channels, users, strict=True))}
                layout_again = (
                    None if timer in timers else layout.again(served, wanted, {*timers, timer}, board)
                )
                if layout_again is not None:
                    layout, fixed = layout_again, wanted
                    timers.add(timer)
                    break
    return layout


def _timer_modes(board: Board) -> Iterator[dict[str, str]]:
    """Iterate over all combinations of timer modes."""
    uses: dict[str, list[str]] = {}
    for functions in board.pins.values():
        for function, timer in functions.items():
            if timer and function not in uses.setdefault(timer, []):
                uses[timer].append(function)
    shared = [timer for timer, functions in uses.items() if len(functions) > 1]
    choices = [sorted(uses[timer]) if k < MOST_TIMERS else ["pwm"] for k, timer in enumerate(shared)]
    for modes in product(*choices):
        yield dict(zip(shared, modes, strict=True))


Served = Sequence[tuple[DeviceEntry, Driver]]


def _number_of_pins(able: dict[str, list[str]]) -> int:
    return len({pin for pins in able.values() for pin in pins})


class _Layout:
    """The assignment of pins to parameters for one combination of timer modes."""

    def __init__(self, able: dict[str, list[str]], users: dict[str, User], free: int | None = None) -> None:
        """
        Args:
            able: the pins for each function, those with fewest other functions first. Behind them are pins
                without one of the board's other names, which are on less handy headers, then those that the
                board proposes last, and those of wires, so that the user can choose another wire.
            users: uses of pins.
            free: number of pins without a user; default: all in `able`.
        """
        self.able, self.users = able, users
        self.free = _number_of_pins(able) if free is None else free

    def with_users(self, users: Sequence[User]) -> _Layout | None:
        """Return a layout with the users of a further device, or None if no pins are left for them."""
        # A bus can have its pins already.
        added = [user for user in users if user.tag or user not in self.users.values()]
        if len(added) > self.free:
            return None  # no pin becomes free by moving the others
        layout = _Layout(self.able, self.users.copy(), self.free - len(added))
        return layout if all(layout._place(user, set()) for user in added) else None

    def again(self, served: Served, fixed: dict[str, User], timers: set[str], board: Board) -> _Layout | None:
        """Return a layout of the same devices with some pins fixed, or None if no pins are left for one.

        Args:
            served: the devices and their drivers.
            fixed: users of pins.
            timers: those that generate no PWM and no servo pulses.
            board: the board with the pins.
        """
        able = {
            function: [
                pin
                for pin in pins
                if pin not in fixed and board.pins[pin][function.removesuffix(PULLED)] not in timers
            ]
            for function, pins in self.able.items()
        }
        placed = set(fixed.values())
        layout: _Layout | None = _Layout(able, fixed)
        for device, driver in served:
            added = [user for user in _users(device, driver) if user not in placed]
            layout = layout and layout.with_users(added)
        return layout

    def with_lamps_at(self, pins: Sequence[str], lamps: set[int]) -> _Layout:
        """Return the layout in which pins that other devices use are exchanged with those of LEDs.

        Args:
            pins: the pins, for example with an LED on the board.
            lamps: tags of the LEDs.
        """
        users = dict(self.users)
        for pin in pins:
            user = users.get(pin)
            if user is not None and user.tag not in lamps:
                for other, lamp in users.items():
                    fits = pin in self.able[lamp.function] and other in self.able[user.function]
                    if lamp.tag in lamps and other not in pins and fits:
                        users[pin], users[other] = lamp, user
                        break
        return _Layout(self.able, users, self.free)

    def _place(self, user: User, tried: set[str]) -> bool:
        """Assign a pin: a free one, or one whose user can move to another pin (augmenting path)."""
        able = self.able.get(user.function, ())
        for pin in able:
            if pin not in self.users:
                self.users[pin] = user
                return True
        for pin in able:
            if pin not in tried:
                tried.add(pin)
                if self._place(self.users[pin], tried):
                    self.users[pin] = user
                    return True
        return False

    def pins_of(self, device: DeviceEntry, driver: Driver) -> dict[str, str]:
        """Return the pins of a device by parameter."""
        pins = {user: pin for pin, user in self.users.items()}
        parameters = [pin.name for pin in _pins(driver)]
        return {name: pins[user] for name, user in zip(parameters, _users(device, driver), strict=True)}


def _users(device: DeviceEntry, driver: Driver) -> list[User]:
    """Return what a driver needs pins for; a bus is shared by all."""
    return [
        User(0, pin.function, pin.function) if pin.is_shared else User(device.tag, pin.name, _function(pin))
        for pin in _pins(driver)
    ]


def _pins(driver: Driver) -> list[Parameter]:
    """Return the parameters of a driver that need a pin."""
    return [
        parameter
        for parameter in driver.parameters.values()
        if parameter.kind == "pin" and not parameter.is_spare
    ]


def _function(parameter: Parameter) -> str:
    """Return the function that a parameter's pin needs, as in `_Layout.able`."""
    return parameter.function + PULLED if parameter.pull_up else parameter.function


def _empty_layouts(board: Board) -> Iterator[_Layout]:
    """Return a board without devices for each combination of timer modes."""
    functions = {function for pin in board.pins.values() for function in pin}
    named = set(board.circuit.names.values()) or set(board.pins)
    reserved = {pin for pins in board.wire_pins.values() for pin in pins}
    for modes in _timer_modes(board):
        able = {}
        for function in functions:
            pins = [
                pin
                for pin, all_ in board.pins.items()
                if function in all_
                and modes.get(all_[function], function) == function
                and pin not in board.circuit.second_bus
            ]
            able[function] = sorted(
                pins,
                key=lambda pin: (
                    pin in reserved,
                    pin in board.circuit.proposed_last,
                    pin not in named,
                    len(board.pins[pin]),
                ),
            )
            able[function + PULLED] = [pin for pin in able[function] if pin not in board.circuit.no_pull_up]
        yield _Layout(able, {})


class _Layouts:
    """Layouts in order, each computed when it is first asked for: mostly the first one has all pins."""

    def __init__(self, source: Iterable[_Layout]) -> None:
        self._source, self._known = iter(source), list[_Layout]()

    def __iter__(self) -> Iterator[_Layout]:
        for k in count():
            if k == len(self._known):
                layout = next(self._source, None)
                if layout is None:
                    return
                self._known.append(layout)
            yield self._known[k]

    def first(self) -> _Layout | None:
        """Return the first layout, or None if there is none."""
        return next(iter(self), None)

    def with_users(self, users: Sequence[User]) -> _Layouts:
        """Return the layouts with the users of a further device, if they have pins left for them."""
        extended = (layout.with_users(users) for layout in self)
        return _Layouts(layout for layout in extended if layout is not None)


class _Search:
    """Searches the drivers of all devices, and keeps the best choice for which pins exist."""

    def __init__(self, requests: Sequence[DriverChoice]) -> None:
        self.requests = requests
        self._kinds = [request.kind for request in requests]
        self._users = [[_users(request.device, driver) for driver in request.drivers] for request in requests]
        self.drivers: list[Driver | None] = [None] * len(requests)
        self.layout: _Layout | None = None
        self._cost = sum(request.weight for request in requests) + 1
        self._tries = 0

    @property
    def has_given_up(self) -> bool:
        """True if the search has ended before it has seen all choices."""
        return self._tries > TRIES

    def go(self, layouts: _Layouts, chosen: list[int | None], cost: int) -> None:
        """Choose a driver for the next device.

        Args:
            layouts: the remaining layouts.
            chosen: driver indices of the previous devices; None: left out.
            cost: weight of the devices left out.
        """
        if cost >= self._cost or (self._tries > TRIES and self.layout is not None):
            return
        if len(chosen) == len(self.requests):
            self._cost, self.layout = cost, layouts.first()
            self.drivers = [
                None if k is None else request.drivers[k]
                for request, k in zip(self.requests, chosen, strict=True)
            ]
            return
        request, users = self.requests[len(chosen)], self._users[len(chosen)]
        for k in range(self._first(chosen), len(request.drivers)):
            self._tries += 1
            left = layouts.with_users(users[k])
            if self._has_address(request.drivers[k], chosen) and left.first() is not None:
                self.go(left, [*chosen, k], cost)
        self.go(layouts, [*chosen, None], cost + request.weight)

    def _first(self, chosen: list[int | None]) -> int:
        """Return the first driver to try: among devices of one kind, later ones have no better drivers
        (symmetry)."""
        place = len(chosen)
        if not chosen or self._kinds[place - 1] != self._kinds[place]:
            return 0
        return len(self.requests[place].drivers) if chosen[-1] is None else chosen[-1]

    def _has_address(self, driver: Driver, chosen: list[int | None]) -> bool:
        """Return True if an address is left for one more part of a driver."""
        address = driver.parameters.get("address")
        if address is None:
            return True
        pairs = zip(self.requests, chosen, strict=False)
        used = sum(k is not None and request.drivers[k].name == driver.name for request, k in pairs)
        return used < len(address.choices)
