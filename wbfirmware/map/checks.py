"""Check relations in a hardware map: pins, timers, references between devices."""

from __future__ import annotations

from collections.abc import Iterator

from wbridge.wbfirmware.boards.board import Board, Ticks
from wbridge.wbfirmware.boards.drivers import BUS, FREQUENCY, Parameter
from wbridge.wbfirmware.map.hardware import Hardware, Wiring
from wbridge.wbfirmware.problems import Problem, Source, nearest

Use = tuple["Wiring", Parameter, str]
ADDRESSES = "address", "host"
"""Parameters with the address of a part on the I2C bus, and of the part that it belongs to."""
INVERTED = "inverted"
"""The flag of a switch that enables its pull-up."""
COMMON = {"line": "the board's second serial line", "part": "the part at this address"}
"""Resources that have one number for all their devices."""
COMMON_PARTS = ("axes", "curve", "field", "i2c_registers")
"""Parts of drivers that are not specific to their devices."""
NEAR = 0.01
"""Relative difference of a frequency that a timer makes and the one that is wanted."""
PWM, ALL, PIN = "pwm", "all", "pin"


def users_of_pins(hardware: Hardware) -> Iterator[Use]:
    """Iterate over all uses of pins: device, parameter, pin name."""
    for wiring in hardware.wirings:
        for name, parameter in wiring.driver.parameters.items():
            if parameter.kind == "pin" and wiring.values.get(name):
                yield wiring, parameter, wiring.values[name]


def check_pins(source: Source, hardware: Hardware) -> None:
    """Check that no pin is used twice, no timer needs two modes, and there is one I2C bus."""
    used: dict[str, Use] = {}
    timers: dict[str, Use] = {}
    buses: dict[tuple[str, bool], Use] = {}
    for use in users_of_pins(hardware):
        _check_pin(source, hardware, use, used.setdefault(use[2], use))
        _check_timer(source, hardware, use, timers)
        if use[1].is_shared:
            key = use[1].function, use[2] in hardware.board.circuit.second_bus
            _check_bus(source, hardware, use, buses.setdefault(key, use))


def missing_pull_ups(source: Source, hardware: Hardware) -> Iterator[Problem]:
    """Iterate over inputs that need a resistor, because their pins have no pull-up."""
    for wiring, parameter, pin in users_of_pins(hardware):
        is_off = wiring.values.get(INVERTED) is False and not parameter.is_spare
        if parameter.pull_up and pin in hardware.board.circuit.no_pull_up and not is_off:
            yield Problem(
                source.line(*wiring.keys, parameter.name),
                f'"{wiring.device.name}": {parameter.name}: {pin} has no pull-up; connect a resistor of 10 '
                f"kOhm from {pin} to {hardware.board.supply:g} V, unless the part drives both levels",
            )


def _check_pin(source: Source, hardware: Hardware, use: Use, first: Use) -> None:
    wiring, parameter, pin = use
    if first is use or (parameter.is_shared and first[1].function == parameter.function):
        return
    if parameter.common and first[1].common and wiring.driver is first[0].driver:
        return  # servos at one line
    if parameter.is_chained and first[1].is_chained:
        _check_place(source, hardware, use)
        return
    if parameter.line and first[1].line == parameter.line:
        return
    source.wrong(
        (*wiring.keys, parameter.name),
        f"{_label(use)}: {pin} is already used by {_label(first)}; free are "
        f"{_free(hardware, parameter.function)}",
    )


def check_crossings(source: Source, hardware: Hardware) -> None:
    """Check that no two devices are at the same row and column of a matrix."""
    first: dict[frozenset[tuple[str, str]], Wiring] = {}
    for wiring in hardware.wirings:
        lines = [parameter for parameter in wiring.driver.parameters.values() if parameter.line]
        pins = {line.line: str(wiring.values.get(line.name)) for line in lines}
        other = first.setdefault(frozenset(pins.items()), wiring) if pins else wiring
        if other is not wiring:
            source.wrong(
                wiring.keys,
                f'"{wiring.device.name}" is at the same row and column, {" and ".join(pins.values())}, as '
                f'"{other.device.name}"; write driver = "none" for one of them, or another row or column',
            )


def _check_place(source: Source, hardware: Hardware, use: Use) -> None:
    """Check that no other device has the place of a device in a chain."""
    wiring, parameter, pin = use
    place = wiring.values.get("place")
    same = [user for user, other, at in users_of_pins(hardware) if other.is_chained and at == pin]
    first = next(user for user in same if user is wiring or user.values.get("place") == place)
    if first is not wiring:
        taken = {user.values.get("place") for user in same}
        free = next(k for k in range(len(taken) + 1) if k not in taken)
        source.wrong(
            (*wiring.keys, "place"),
            f'"{wiring.device.name}": place: {place} of the chain at {pin} is already that of '
            f'"{first.device.name}"; the first free place is {free}',
        )


def _check_timer(source: Source, hardware: Hardware, use: Use, timers: dict[str, Use]) -> None:
    wiring, parameter, pin = use
    timer = hardware.board.pins[pin].get(parameter.function, "")
    first = timers.setdefault(timer, use)
    if timer and first[1].function != parameter.function:
        source.wrong(
            (*wiring.keys, parameter.name),
            f"{_label(use)}: {pin} needs timer {timer} for {_pulses(parameter)}, but {_label(first)} "
            f"({first[2]}) needs it for {_pulses(first[1])}; a timer can generate only one of them",
        )


def _check_bus(source: Source, hardware: Hardware, use: Use, first: Use) -> None:
    wiring, parameter, pin = use
    second = hardware.board.circuit.second_bus
    pins = [str(wiring.values.get(name, "")) for name in BUS]
    if parameter.name == BUS[-1] and (pins[0] in second) != (pins[-1] in second):
        source.wrong(
            (*wiring.keys, parameter.name),
            f"{_label(use)}: {pin} and {pins[0]} are not of the same I2C bus; {hardware.board.title} has "
            f"one for parts that you connect ({', '.join(_first_bus(hardware))}) and one for its own parts "
            f"({', '.join(second)})",
        )
    elif pin != first[2]:
        source.wrong(
            (*wiring.keys, parameter.name),
            f"{_label(use)}: {pin} is not the pin of {_label(first)} ({first[2]}); "
            f"{hardware.board.title} has one I2C bus for all of its devices",
        )


def _first_bus(hardware: Hardware) -> list[str]:
    able = [pin for function in BUS for pin in hardware.board.able(function)]
    return [pin for pin in able if pin not in hardware.board.circuit.second_bus]


def second_bus_addresses(hardware: Hardware) -> list[int]:
    """Return the addresses of the parts on the board's own bus, sorted."""
    return sorted(
        {
            int(wiring.values[name])
            for wiring in hardware.wirings
            if wiring.values.get(BUS[0]) in hardware.board.circuit.second_bus
            for name in ADDRESSES
            if name in wiring.values
        }
    )


def check_encoders(source: Source, hardware: Hardware) -> None:
    """Check that pins without an interrupt on change are those of an encoder that a timer counts."""
    for wiring, parameter, pin in users_of_pins(hardware):
        functions = hardware.board.pins[pin]
        if parameter.function in functions or wiring.timer is not None:
            continue
        encoders = [pins for pins in hardware.board.timing.encoders.values() if pin in pins]
        partner = next((other for pins in encoders for other in pins if other != pin), "")
        source.wrong(
            (*wiring.keys, parameter.name),
            f"{_label((wiring, parameter, pin))}: {pin} has no interrupt on change; connect an encoder to "
            f"{pin} and {partner} together, and use no PWM or servo output of the same timer",
        )


def steps_timer(hardware: Hardware) -> Ticks | None:
    """Return the timer that makes the steps of stepper motors; None if the board has none, or PWM or servo
    pulses need it."""
    ticks = hardware.board.timing.ticks
    return None if ticks is None or any(timer_users(hardware, ticks.timer)) else ticks


def timer_users(hardware: Hardware, timer: str) -> Iterator[Use]:
    """Iterate over uses of pins that need a timer."""
    for use in users_of_pins(hardware):
        if timer and hardware.board.pins[use[2]].get(use[1].function) == timer:
            yield use


def check_addresses(source: Source, hardware: Hardware) -> None:
    """Check that no two parts on the I2C bus share an address; one part may serve a device of each kind."""
    taken: dict[int, list[Wiring]] = {}
    for wiring in hardware.wirings:
        if (
            any(parameter.is_shared for parameter in wiring.driver.parameters.values())
            and "address" in wiring.values
        ):
            taken.setdefault(wiring.values["address"], []).append(wiring)
    for address, wirings in taken.items():
        first = wirings[0]
        for other in wirings[1:]:
            kinds = [wiring.driver.name for wiring in wirings[: wirings.index(other)]]
            if _has_outputs(first, other):
                continue
            if other.driver.name in kinds or not _same_part(first, other):
                source.wrong(
                    (*other.keys, "address"),
                    f'"{other.device.name}": address: {address:#x} is already used by '
                    f'"{first.device.name}" ({first.driver.name}); a part needs an address of its own',
                )


def _has_outputs(wiring: Wiring, other: Wiring) -> bool:
    """Return True if two devices have the same driver, which serves several outputs of one part."""
    return wiring.driver is other.driver and any(each.unique for each in wiring.driver.parameters.values())


def _same_part(wiring: Wiring, other: Wiring) -> bool:
    """Return True if two drivers serve the same part, that is, share its code."""
    return bool(set(wiring.driver.parts) & set(other.driver.parts) - set(COMMON_PARTS))


def check_counts(source: Source, hardware: Hardware) -> None:
    """Check that no driver has more devices than a board can have of it."""
    count: dict[str, int] = {}
    for wiring in hardware.wirings:
        name, most = wiring.driver.name, wiring.driver.most
        count[name] = count.get(name, 0) + 1
        if most and count[name] > most:
            source.wrong(
                (*wiring.keys, "driver"),
                f'"{wiring.device.name}": a board supports at most {most} {_devices(most)} with the driver '
                f'{name}; write driver = "none" for the others',
            )


def _devices(number: int) -> str:
    return "device" if number == 1 else "devices"


def check_common(source: Source, hardware: Hardware) -> None:
    """Check that settings shared by a serial line or part are equal for all its devices."""
    first: dict[tuple[str, str, int | None], Wiring] = {}
    for wiring in hardware.wirings:
        for name, parameter in wiring.driver.parameters.items():
            if parameter.common and name in wiring.values:
                place = (name, parameter.common, wiring.values.get("address"))
                _check_common(source, wiring, first.setdefault(place, wiring), parameter)


def _check_common(source: Source, wiring: Wiring, first: Wiring, parameter: Parameter) -> None:
    own, other = (each.values[parameter.name] for each in (wiring, first))
    if own != other:
        source.wrong(
            (*wiring.keys, parameter.name),
            f'"{wiring.device.name}": {parameter.name}: found {own!r}, and "{first.device.name}" has '
            f"{other!r}: {COMMON[parameter.common]} has one for both; use the same value for both",
        )


def check_unique(source: Source, hardware: Hardware) -> None:
    """Check that numbers of which each device needs its own are different."""
    first: dict[tuple[object, ...], Wiring] = {}
    for wiring in hardware.wirings:
        for name in (key for key, parameter in wiring.driver.parameters.items() if parameter.unique):
            value, address = wiring.values.get(name), wiring.values.get("address")
            other = first.setdefault((wiring.driver.name, name, value, address), wiring)
            if other is not wiring and value is not None:
                source.wrong(
                    (*wiring.keys, name),
                    f'"{wiring.device.name}": {name}: {value} is already that of "{other.device.name}"',
                )


def _pulses(parameter: Parameter) -> str:
    return "servo pulses" if parameter.function == "servo" else "PWM"


def _label(use: Use) -> str:
    return f'"{use[0].device.name}": {use[1].name}'


def _free(hardware: Hardware, function: str) -> str:
    taken = {pin for _, _, pin in users_of_pins(hardware)}
    free = [pin for pin in hardware.board.able(function) if pin not in taken]
    return ", ".join(free) or "none"


def check_references(source: Source, hardware: Hardware) -> None:
    """Check that referenced devices exist, have the required driver, and are the right ones."""
    for wiring in hardware.wirings:
        for name, parameter in wiring.driver.parameters.items():
            if parameter.kind == "device" and wiring.values.get(name):
                _check_reference(source, hardware, wiring, parameter)
                _check_relation(source, hardware, wiring, parameter)


def _check_reference(source: Source, hardware: Hardware, wiring: Wiring, parameter: Parameter) -> None:
    wanted = wiring.values[parameter.name]
    able = [other.device.name for other in hardware.wirings if other.driver.name in parameter.able_drivers]
    if wanted not in able:
        listed = ", ".join(f'"{other}"' for other in able) or "none"
        source.wrong(
            (*wiring.keys, parameter.name),
            f'"{wiring.device.name}": {parameter.name}: found "{wanted}"; expected a device with the driver '
            f"{' or '.join(parameter.able_drivers)}: {listed}{nearest(wanted, able)}",
        )


def _check_relation(source: Source, hardware: Hardware, wiring: Wiring, parameter: Parameter) -> None:
    """Check the joint: with a sensor on another axis, a motor would run away. The world defines the right
    one."""
    table, wanted = hardware.table, wiring.values[parameter.name]
    tag = wiring.device.constants.get(parameter.proposal)
    right = table.device(tag) if tag else None
    if table.find(wanted) is not None and right is not None and right.name != wanted:
        source.wrong(
            (*wiring.keys, parameter.name),
            f'"{wiring.device.name}": {parameter.name}: found "{wanted}", which belongs to another joint; in '
            f'the world it is "{right.name}"',
        )


def frequency_of(wiring: Wiring, board: Board) -> float:
    """Return the frequency of a device's PWM in Hz; 0: not known."""
    return float(wiring.values.get(FREQUENCY) or board.timing.pwm)


def pin_frequencies(hardware: Hardware) -> Iterator[tuple[Wiring, str, int]]:
    """Iterate over the pins whose frequency differs from that of the board: device, pin, Hz."""
    for wiring, parameter, pin in users_of_pins(hardware):
        if parameter.function == PWM and wiring.values.get(FREQUENCY):
            yield wiring, pin, wiring.values[FREQUENCY]


def check_frequencies(source: Source, hardware: Hardware) -> None:
    """Check that the timers make the frequencies, and that devices on one timer want the same one."""
    wanted: dict[str, tuple[Wiring, int]] = {}
    used = [(wiring, pin) for wiring, parameter, pin in users_of_pins(hardware) if parameter.function == PWM]
    for wiring, pin in sorted(used, key=lambda use: not use[0].values.get(FREQUENCY)):
        hertz = wiring.values.get(FREQUENCY, 0)
        group = _group(hardware.board, pin)
        why = _what_is_wrong(hardware.board, pin, hertz) if hertz else ""
        if not why and group and hertz != wanted.setdefault(group, (wiring, hertz))[1]:
            first, other = wanted[group]
            whose = "all PWM of the board" if group == ALL else f"timer {group}"
            why = f'{pin} shares {whose} with "{first.device.name}", which has {other} Hz; use the same'
        if why and FREQUENCY in wiring.driver.parameters:
            source.wrong(
                (*wiring.keys, FREQUENCY), f'"{wiring.device.name}": {FREQUENCY}: found {hertz}; {why}'
            )


def _group(board: Board, pin: str) -> str:
    """Return what has one frequency for several pins; "": nothing."""
    return ALL if ALL in board.timing.frequencies else board.pins[pin][PWM]


def _what_is_wrong(board: Board, pin: str, hertz: int) -> str:
    """Return why a pin cannot have a frequency, with the nearest possible one; "" if it can."""
    timer = board.pins[pin][PWM]
    able = board.timing.frequencies.get(ALL) or board.timing.frequencies.get(timer or PIN, [])
    if not able:
        own = f"{board.timing.pwm:g} Hz only" if board.timing.pwm else "only the frequency that its core sets"
        return f"PWM at {pin} of {board.title} has {own}; write 0"
    if len(able) == 2:
        if able[0] <= hertz <= able[1]:
            return ""
        nearest = min(max(float(hertz), able[0]), able[1])
        return f"{pin} can have {able[0]:g} to {able[1]:g} Hz; the nearest is {nearest:g}"
    nearest = min(able, key=lambda frequency: abs(frequency - hertz))
    if abs(nearest - hertz) <= NEAR * nearest:
        return ""
    return (
        f"{pin} can have {', '.join(f'{frequency:g}' for frequency in able)} Hz; the nearest is {nearest:g}"
    )
