"""Arrange board, parts and wires of a wiring diagram. All lengths are in px; y points down."""

from __future__ import annotations

import textwrap
from typing import NamedTuple

from wbridge.wbfirmware.wiring.connections import Connection, PlacedPart, Plan
from wbridge.wbfirmware.wiring.headers import GROUND
from wbridge.wbfirmware.wiring.lanes import Lane, ordered

PITCH = 20
"""Distance of pins. Pins of parts lie between those of the board, so that wires do not cover each other."""
BOARD_WIDTH, PART_WIDTH = 210, 272
LANE, FIRST_LANE = 9, 16
"""Distance of vertical wires, and of the first one from the board."""
TITLE, LINE, FOOT = 26, 14, 14
"""Heights in a part: the title, a line of text, the end."""
LINE_CHARACTERS = 37
PART_GAP = 26
MARGIN, TOP = 24, 78
SIDES = ("left", "right")
Point = tuple[float, float]
Lines = list[list[Point]]


class PlacedPin(NamedTuple):
    """A pin of a part."""

    y: float
    connection: Connection


class Box(NamedTuple):
    """A part in the diagram."""

    placed: PlacedPart
    side: str
    x: float
    y: float
    width: float
    height: float
    pins: list[PlacedPin]
    names: list[tuple[float, str]]
    """The names of devices and their places."""
    about: list[str]
    """Lines of text below the title."""


class Net(NamedTuple):
    """A pin of the board and everything that is connected to it."""

    board_pin: str
    is_power: bool
    number: int
    """Among the signals, for the color; among the supplies for those."""
    lines: list[list[tuple[float, float]]]
    """Polylines."""
    dots: list[tuple[float, float]]
    """Junctions."""
    label: str


class Diagram(NamedTuple):
    """Everything with its place."""

    width: float
    height: float
    board: tuple[float, float, float, float]
    """x, y, width, height."""
    board_pins: dict[tuple[str, int], tuple[float, float]]
    """Places by side and index in the headers."""
    boxes: list[Box]
    nets: list[Net]


def arrange(plan: Plan) -> Diagram:
    """Return the diagram of a wiring."""
    boxes = {side: _stack(parts, side) for side, parts in _sides(plan).items()}
    rows = max(len(plan.headers.left), len(plan.headers.right))
    heights = {side: _height(side_boxes) for side, side_boxes in boxes.items()}
    board_height = (rows + 3) * PITCH
    inner = max(board_height, *heights.values())
    board_y = TOP + PITCH * round((inner - board_height) / 2 / PITCH)
    wires = _Wires(plan, boxes, {side: TOP + _snap((inner - heights[side]) / 2) for side in SIDES}, board_y)
    return wires.diagram(TOP + inner)


def _snap(y: float) -> float:
    return PITCH * round(y / PITCH)


def _sides(plan: Plan) -> dict[str, list[PlacedPart]]:
    """Return the parts beside the edge with most of their signals, in the order of the board's pins."""
    found: dict[str, list[tuple[float, PlacedPart]]] = {side: [] for side in SIDES}
    for placed in plan.parts:
        pins = [connection.board_pin for connection in placed.connections if connection.role == "signal"]
        sides = [plan.headers.side_of(pin) for pin in pins]
        side = max(SIDES, key=sides.count)
        places = [
            getattr(plan.headers, side).index(pin) for pin in pins if pin in getattr(plan.headers, side)
        ]
        found[side].append((sum(places) / max(1, len(places)), placed))
    return {
        side: [box for _, box in sorted(all_, key=lambda entry: entry[0])] for side, all_ in found.items()
    }


def _stack(parts: list[PlacedPart], side: str) -> list[Box]:
    """Return the parts of a side below each other, from y = 0."""
    boxes: list[Box] = []
    y = 0.0
    for placed in parts:
        box = _box(placed, side, y)
        boxes.append(box)
        y += PITCH * -(-(box.height + PART_GAP) // PITCH)
    return boxes


def _height(boxes: list[Box]) -> float:
    return boxes[-1].y + boxes[-1].height if boxes else 0.0


def _box(placed: PlacedPart, side: str, top: float) -> Box:
    """Return a part with its pins; those of a device below its name."""
    about = [*_supply_words(placed), *textwrap.wrap(placed.part.note, LINE_CHARACTERS)]
    y = top + PITCH * -(-(TITLE + LINE * len(about)) // PITCH) + PITCH / 2
    pins: list[PlacedPin] = []
    names: list[tuple[float, str]] = []
    name = ""
    for connection in placed.connections:
        owner = connection.device or (
            ", ".join(each.device.name for each in placed.wirings) if connection.role == "signal" else ""
        )
        if owner != name:
            name = owner
            names.append((y, name))
            y += PITCH
        pins.append(PlacedPin(y, connection))
        y += PITCH
    return Box(placed, side, 0.0, top, PART_WIDTH, y - PITCH / 2 + FOOT - top, pins, names, about)


def _supply_words(placed: PlacedPart) -> list[str]:
    """Return the line about a part's supply, if it has one."""
    supply = placed.part.supply
    words = [f"{supply[0]:g} to {supply[1]:g} V"] if supply else []
    words += [f"{1000 * placed.current:g} mA"] if placed.current else []
    return [", ".join(words)] if words else []


class _Wires:
    """The places of everything, when the order of the vertical wires is known."""

    def __init__(
        self, plan: Plan, boxes: dict[str, list[Box]], offsets: dict[str, float], board_y: float
    ) -> None:
        self.plan, self.headers = plan, plan.headers
        self.boxes = {
            side: [_moved(box, offsets[side]) for box in side_boxes] for side, side_boxes in boxes.items()
        }
        self.board_y = board_y
        self.rows = max(len(self.headers.left), len(self.headers.right))
        self.bottom = max(
            [
                self.board_end,
                *(box.y + box.height for side_boxes in self.boxes.values() for box in side_boxes),
            ]
        )
        pins = [pin for side_boxes in self.boxes.values() for box in side_boxes for pin in box.pins]
        named = list(dict.fromkeys(pin.connection.board_pin for pin in pins if pin.connection.board_pin))
        self.power = [name for name in [*self.headers.supplies, GROUND] if name in named]
        self.signals = [name for name in self._by_place() if name in named and name not in self.power]
        self.crossing = [name for name in self.signals if self._is_crossing(name)]
        self.lanes = {side: self._lanes(side) for side in SIDES}
        self.places = self._places()

    @property
    def board_end(self) -> float:
        """Return the y of the board's lower edge."""
        return self.board_y + (self.rows + 3) * PITCH

    def _by_place(self) -> list[str]:
        return list(dict.fromkeys([*self.headers.left, *self.headers.right]))

    def row(self, pin: str, side: str) -> float | None:
        """Return the y of a pin at an edge of the board; None if it is not there."""
        edge = getattr(self.headers, side)
        return self.board_y + (edge.index(pin) + 2) * PITCH if pin in edge else None

    def ends(self, pin: str, side: str) -> list[float]:
        """Return the places of the pins of parts at a side that are connected to a pin of the board."""
        return [
            placed_pin.y
            for box in self.boxes[side]
            for placed_pin in box.pins
            if placed_pin.connection.board_pin == pin
        ]

    def inner(self, pin: str, side: str) -> list[float]:
        """Return the places at which the vertical wire of a signal meets the board and the wire below it."""
        row = self.row(pin, side) if side == self.headers.side_of(pin) else None
        under = [self.under(pin)] if pin in self.crossing else []
        return [*([row] if row is not None else []), *under]

    def _is_crossing(self, pin: str) -> bool:
        """Return True if parts on both sides, or on the other side, use a pin."""
        own = self.headers.side_of(pin)
        return bool(self.ends(pin, SIDES[own == "left"]))

    def under(self, pin: str) -> float:
        """Return the y of a wire below the board."""
        return self.bottom + 14 + LANE * self.crossing.index(pin)

    def over(self, pin: str) -> float:
        """Return the y of a supply's wire above everything."""
        return TOP - 10 - LANE * self.power.index(pin)

    def _lanes(self, side: str) -> list[str]:
        """Return the signals with a vertical wire at a side, from the board outward."""
        lanes = []
        for pin in self.signals:
            ends = self.ends(pin, side)
            if ends or (self.headers.side_of(pin) == side and pin in self.crossing):
                lanes.append(Lane(pin, self.inner(pin, side), ends))
        return [lane.name for lane in ordered(lanes)]

    def _places(self) -> dict[tuple[str, str], float]:
        """Return the x of each vertical wire, by side and pin."""
        widths = {
            side: FIRST_LANE + LANE * (len(self.lanes[side]) + len(self.power) + 2)
            if self.boxes[side]
            else 2 * LANE
            for side in SIDES
        }
        part = {side: PART_WIDTH if self.boxes[side] else 0 for side in SIDES}
        self.board_x: float = MARGIN + part["left"] + widths["left"]
        self.width = self.board_x + BOARD_WIDTH + widths["right"] + part["right"] + MARGIN
        edges = {"left": (self.board_x, -1), "right": (self.board_x + BOARD_WIDTH, 1)}
        self.part_x = {"left": MARGIN, "right": self.width - MARGIN - PART_WIDTH}
        ends: dict[tuple[str, str], float] = {}
        for side, (x, sign) in edges.items():
            order = [*self.lanes[side], "", *(self.power if self.boxes[side] else [])]
            for place, pin in enumerate(order):
                if pin:
                    ends[side, pin] = x + sign * (FIRST_LANE + LANE * place)
        return ends

    def edge(self, side: str) -> float:
        """Return the x of an edge of the board."""
        return self.board_x if side == "left" else self.board_x + BOARD_WIDTH

    def outer(self, side: str) -> float:
        """Return the x of the edge of the parts at a side."""
        return self.part_x[side] + (PART_WIDTH if side == "left" else 0)

    def diagram(self, end: float) -> Diagram:
        """Return everything."""
        boxes = [box._replace(x=self.part_x[side]) for side in SIDES for box in self.boxes[side]]
        nets = [self._signal(pin, number) for number, pin in enumerate(self.signals)]
        nets += [self._supply(pin, number) for number, pin in enumerate(self.power)]
        pins = {
            (side, k): (self.edge(side), self.board_y + (k + 2) * PITCH)
            for side in SIDES
            for k, pin in enumerate(getattr(self.headers, side))
            if pin
        }
        height = max(end, self.bottom) + 14 + LANE * len(self.crossing) + MARGIN
        board = (self.board_x, self.board_y, BOARD_WIDTH, self.board_end - self.board_y)
        return Diagram(max(self.width, 620), height, board, pins, boxes, nets)

    def _signal(self, pin: str, number: int) -> Net:
        """Return the wires of a signal pin."""
        lines: Lines = []
        dots: list[Point] = []
        own = self.headers.side_of(pin)
        for side in SIDES:
            x = self.places.get((side, pin))
            if x is not None:
                row = self.row(pin, side) if side == own else None
                self._wire(lines, dots, (side, x), self.ends(pin, side), self.inner(pin, side), row)
        if pin in self.crossing:
            y = self.under(pin)
            lines.append([(self.places[side, pin], y) for side in SIDES])
        return Net(pin, False, number, lines, dots, self._label(pin))

    def _supply(self, pin: str, number: int) -> Net:
        """Return the rails of a supply or of ground, with a link over the board if one side lacks the pin."""
        lines: Lines = []
        dots: list[Point] = []
        rows = {side: self.row(pin, side) for side in SIDES}
        used = [side for side in SIDES if self.ends(pin, side)]
        linked = any(rows[side] is None for side in used)
        source = next(side for side in (*used, *SIDES) if rows[side] is not None)
        places = {side: self.places.get((side, pin), self._beside(side)) for side in SIDES}
        for side in SIDES:
            row = rows[side] if side in used or (linked and side == source) else None
            if side in used or row is not None:
                inner = [*([row] if row is not None else []), *([self.over(pin)] if linked else [])]
                self._wire(lines, dots, (side, places[side]), self.ends(pin, side), inner, row)
        if linked:
            lines.append([(x, self.over(pin)) for x in places.values()])
        return Net(pin, True, number, lines, dots, self._label(pin))

    def _beside(self, side: str) -> float:
        """Return the x of a rail at a side without parts."""
        return self.edge(side) + (FIRST_LANE if side == "right" else -FIRST_LANE)

    def _wire(
        self,
        lines: Lines,
        dots: list[Point],
        at: tuple[str, float],
        ends: list[float],
        inner: list[float],
        row: float | None,
    ) -> None:
        """Add a vertical wire at a side and an x, the wires to parts, and the one to the board's pin."""
        side, x = at
        lines.append([(x, min(ends + inner)), (x, max(ends + inner))])
        lines += [[(x, y), (self.outer(side), y)] for y in ends]
        if row is not None:
            lines.append([(self.edge(side), row), (x, row)])
        dots += [(x, y) for y in sorted(ends + inner)[1:-1]]

    def _label(self, pin: str) -> str:
        """Return what a net connects, in words."""
        ends = [
            f"{placed_pin.connection.pin} of {box.placed.label}"
            for side_boxes in self.boxes.values()
            for box in side_boxes
            for placed_pin in box.pins
            if placed_pin.connection.board_pin == pin
        ]
        return f"{pin} to {' and '.join(ends)}"


def _moved(box: Box, offset: float) -> Box:
    """Return a part further down."""
    pins = [pin._replace(y=pin.y + offset) for pin in box.pins]
    return box._replace(y=box.y + offset, pins=pins, names=[(y + offset, name) for y, name in box.names])
