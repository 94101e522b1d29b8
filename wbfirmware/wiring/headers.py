"""The headers of a board: its pins in their order, and what they supply."""

from __future__ import annotations

from typing import NamedTuple

from wbridge.wbfirmware.boards.board import Board
from wbridge.wbfirmware.template_folders import read_toml

GROUND = "GND"


class Supply(NamedTuple):
    """A pin that supplies parts."""

    voltage: float
    """V."""
    current: float | None
    """A that parts can draw; None: unknown."""


class Headers(NamedTuple):
    """The two edges of a board, as it is drawn."""

    left: list[str]
    """Names of pins from top to bottom; "" is a gap."""
    right: list[str]
    supplies: dict[str, Supply]
    """By the name of the pin."""
    pin_current: float | None = None
    """A that a signal pin supplies; None: unknown."""
    pin_currents: dict[str, float] = {}
    """The same of single pins that supply less."""
    pins_current: float | None = None
    """A that all signal pins supply together; None: unknown."""
    known: bool = True
    """False: the board has no description; only the pins in use are drawn."""

    def side_of(self, pin: str) -> str:
        """Return the edge with a pin: left or right."""
        return "left" if pin in self.left else "right"

    def current_of(self, pin: str) -> float | None:
        """Return the A that a signal pin supplies; None: unknown."""
        return self.pin_currents.get(pin, self.pin_current)

    def supply_for(self, allowed: tuple[float, float], preferred: float) -> str:
        """Return the pin with a voltage that a part accepts, the nearest to `preferred` (V); "" if none."""
        able = [name for name, supply in self.supplies.items() if allowed[0] <= supply.voltage <= allowed[1]]
        return min(able, key=lambda name: abs(self.supplies[name].voltage - preferred), default="")


def board_headers(board: Board, used: list[str]) -> Headers:
    """Return the headers of a board.

    Args:
        board: the board; if it has no description, pins are drawn in the order of its board.toml.
        used: names of the pins that are connected.
    """
    file = board.wiring_file
    if file is None:
        return _plain(board, used)
    data = read_toml(file.read_text(encoding="utf-8"))
    data.pop("names", None)  # the board has them
    data["supplies"] = {name: Supply(**supply) for name, supply in data["supplies"].items()}
    headers = Headers(**data)
    others = [pin for pin in used if pin not in (*headers.left, *headers.right)]  # on a connector elsewhere
    return headers._replace(right=[*headers.right, *(["", *others] if others else [])])


def _plain(board: Board, used: list[str]) -> Headers:
    """Return the used pins and one supply, for boards without a description."""
    pins = [pin for pin in board.pins if pin in used]
    half = (len(pins) + 1) // 2
    supply = f"{board.supply:g} V"
    left, right = [supply, GROUND, "", *pins[:half]], [supply, GROUND, "", *pins[half:]]
    return Headers(left, right, {supply: Supply(board.supply, None)}, known=False)
