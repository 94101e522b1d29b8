"""Check voltages and currents of a wiring."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wbridge.wbfirmware.wiring.connections import Connection, PlacedPart, Plan


class WiringWarning(NamedTuple):
    """Something that can damage the board or a part, or that does not work."""

    text: str
    board_pin: str
    """Where it is drawn; "" for none."""


def electrical_warnings(plan: Plan) -> list[WiringWarning]:
    """Return all warnings, in the order of the parts."""
    warnings: list[WiringWarning] = []
    for placed in plan.parts:
        warnings += _supply(placed, plan)
        for connection in placed.connections:
            if connection.role == "signal":
                warnings += [*_too_high(placed, connection, plan), *_too_low(placed, connection, plan)]
                warnings += _beyond_converter(placed, connection, plan)
                warnings += _pin_current(placed, connection, plan)
    return [*warnings, *_sum_of_pins(plan), *_sums_of_supplies(plan)]


def _supply(placed: PlacedPart, plan: Plan) -> Iterator[WiringWarning]:
    """Check that a pin of the board can supply a part."""
    allowed = placed.part.supply
    if allowed is not None and not placed.supply:
        there = ", ".join(f"{name}: {supply.voltage:g} V" for name, supply in plan.headers.supplies.items())
        yield WiringWarning(
            f"{placed.label} needs {allowed[0]:g} to {allowed[1]:g} V, which no pin of "
            f"{plan.hardware.board.title} supplies ({there}); use a supply of its own and connect the "
            "grounds",
            "",
        )


def _too_high(placed: PlacedPart, connection: Connection, plan: Plan) -> Iterator[WiringWarning]:
    """Check that a part does not send more than the board's pin withstands."""
    if not connection.signal.drives:
        return
    board = plan.hardware.board
    sent = _sent(placed, connection)
    if sent > board.supply:
        advice = connection.signal.advice or "use a level shifter"
        yield WiringWarning(
            f"{placed.label} sends {sent:g} V at {connection.pin}, and {connection.board_pin} withstands "
            f"{board.supply:g} V: {advice}",
            connection.board_pin,
        )


def _sent(placed: PlacedPart, connection: Connection) -> float:
    """Return the V that a part sends at most."""
    return placed.voltage if connection.signal.level is None else min(connection.signal.level, placed.voltage)


def _beyond_converter(placed: PlacedPart, connection: Connection, plan: Plan) -> Iterator[WiringWarning]:
    """Check that an analog input can tell all voltages of a part apart."""
    board = plan.hardware.board
    sent, top = _sent(placed, connection), board.analog_end
    if connection.signal.drives and _is_analog(placed, connection) and top < sent <= board.supply:
        yield WiringWarning(
            f"{placed.label} sends up to {sent:g} V at {connection.pin}, and {connection.board_pin} measures "
            f"up to {top:g} V, as which it reads higher voltages: divide the voltage with two resistors",
            connection.board_pin,
        )


def _is_analog(placed: PlacedPart, connection: Connection) -> bool:
    """Return True if a signal goes to an analog input."""
    return any(
        parameter.function == "analog" and wiring.values[name] == connection.board_pin
        for wiring in placed.wirings
        for name, parameter in wiring.driver.parameters.items()
        if parameter.kind == "pin"
    )


def _too_low(placed: PlacedPart, connection: Connection, plan: Plan) -> Iterator[WiringWarning]:
    """Check that a part recognizes the board's high level."""
    board = plan.hardware.board
    if connection.signal.high is not None and board.supply < connection.signal.high:
        yield WiringWarning(
            f"{placed.label} needs {connection.signal.high:g} V at {connection.pin} for high, and "
            f"{connection.board_pin} sends {board.supply:g} V: use a level shifter",
            connection.board_pin,
        )


def _pin_current(placed: PlacedPart, connection: Connection, plan: Plan) -> Iterator[WiringWarning]:
    """Check that a signal pin can supply what hangs on it.

    What takes its current from the supply, an inverted LED, may hang on a pin that supplies less than others.
    """
    wiring = next((wiring for wiring in placed.wirings if wiring.device.name == connection.device), None)
    inverted = wiring.values.get("inverted") if wiring is not None else None
    most = plan.headers.pin_current if inverted else plan.headers.current_of(connection.board_pin)
    if most is not None and connection.signal.current > most:
        advice = "use a transistor or a driver board" if most else "use another pin"
        if not most and inverted is False:
            advice += ", or connect it to the supply in place of ground (inverted = true)"
        yield WiringWarning(
            f"{placed.label} draws {_ma(connection.signal.current)} from {connection.board_pin}, which "
            f"supplies at most {_ma(most)}: {advice}",
            connection.board_pin,
        )


def _sum_of_pins(plan: Plan) -> Iterator[WiringWarning]:
    """Check the current of all signal pins together."""
    total = sum(connection.signal.current for placed in plan.parts for connection in placed.connections)
    most = plan.headers.pins_current
    if most is not None and total > most:
        yield WiringWarning(
            f"all parts together draw {_ma(total)} from the pins, which supply at most {_ma(most)} together: "
            "use larger resistors or a driver board",
            "",
        )


def _sums_of_supplies(plan: Plan) -> Iterator[WiringWarning]:
    """Check the currents of the pins that supply parts."""
    for name, supply in plan.headers.supplies.items():
        drawing = [part for part in plan.parts if part.supply == name and part.current > 0]
        total = sum(part.current for part in drawing)
        if supply.current is not None and total > supply.current:
            worst = max(drawing, key=lambda part: part.current)
            parts = "1 part draws" if len(drawing) == 1 else f"{len(drawing)} parts draw"
            yield WiringWarning(
                f"{parts} {_ma(total)} from {name}, which supplies at most "
                f"{_ma(supply.current)}: give {worst.label}, which draws {_ma(worst.current)}, a supply "
                "of its own and connect the grounds",
                name,
            )


def _ma(current: float) -> str:
    return f"{1000 * current:.4g} mA"
