"""Draw a wiring as an SVG file with texts, for light and dark pages."""

from __future__ import annotations

import textwrap
from html import escape
from pathlib import Path

from wbridge.wbfirmware.wiring.connections import Plan
from wbridge.wbfirmware.wiring.electrical import WiringWarning, electrical_warnings
from wbridge.wbfirmware.wiring.headers import GROUND
from wbridge.wbfirmware.wiring.layout import MARGIN, Box, Diagram, Net, arrange
from wbridge.wbfirmware.wiring.symbols import SYMBOLS

SIGNAL_COLORS, SUPPLY_COLORS = 8, 2
"""Numbers of colors in style.css."""
CHARACTER, LINE = 7.4, 20
"""Width (px) of a character of the warnings, height of a line."""


def draw_wiring(plan: Plan) -> str:
    """Return the SVG text of a wiring: the board, the parts, the wires and the warnings."""
    diagram, warnings = arrange(plan), electrical_warnings(plan)
    notes = _notes(plan, warnings, diagram)
    height = diagram.height + (LINE * len(notes) + MARGIN if notes else 0)
    body = [
        _head(plan, diagram, height),
        *(_net(net, plan) for net in diagram.nets),
        _board(plan, diagram),
        *(_box(box) for box in diagram.boxes),
        *_marks(plan, diagram, warnings),
        *_texts(notes, diagram.height),
        "</svg>",
    ]
    return "\n".join(body) + "\n"


def _head(plan: Plan, diagram: Diagram, height: float) -> str:
    robot, board = plan.hardware.table.name, plan.hardware.board
    title = f"{robot} on {board.title}"
    text = ". ".join(net.label for net in diagram.nets)
    width, tall = f"{diagram.width:g}", f"{height:g}"
    style = (Path(__file__).parent / "style.css").read_text(encoding="utf-8")
    return (
        f'<svg class="wiring" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {tall}" '
        f'width="{width}" height="{tall}" role="img" aria-labelledby="wiring-title wiring-desc">\n'
        f'<title id="wiring-title">Wiring of {escape(title)}</title>\n'
        f'<desc id="wiring-desc">{escape(text)}.</desc>\n'
        f"<style>{style}</style>\n"
        f'<rect class="w-page" width="100%" height="100%"/>\n'
        f'<text class="w-title" x="{MARGIN}" y="30">{escape(title)}</text>'
    )


def _net(net: Net, plan: Plan) -> str:
    """Return the wires of a net, each with a halo that separates crossing wires."""
    if net.board_pin == GROUND:
        color = "w-ground"
    elif net.is_power:
        ranked = sorted(plan.headers.supplies, key=lambda name: -plan.headers.supplies[name].voltage)
        color = f"w-p{ranked.index(net.board_pin) % SUPPLY_COLORS}"
    else:
        color = f"w-s{net.number % SIGNAL_COLORS}"
    path = "".join("M" + "L".join(f"{x:g} {y:g}" for x, y in line) for line in net.lines)
    dots = "".join(f"M{x:g} {y:g}h0" for x, y in net.dots)
    junctions = f'<path class="w-wire {color}" style="stroke-width:7" d="{dots}"/>' if dots else ""
    return (
        f'<g><title>{escape(net.label)}</title><path class="w-halo" d="{path}"/>'
        f'<path class="w-wire {color}" d="{path}"/>{junctions}</g>'
    )


def _board(plan: Plan, diagram: Diagram) -> str:
    x, y, width, height = diagram.board
    middle, board = x + width / 2, plan.hardware.board
    connected = {end for net in diagram.nets for line in net.lines for end in line}
    lines = [f'<g><rect class="w-board" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="10"/>']
    for k, line in enumerate(textwrap.wrap(board.title, 18)):
        at = y + height / 2 + LINE * k
        lines.append(
            f'<text class="w-on-board w-middle w-name" x="{middle:g}" y="{at:g}">{escape(line)}</text>'
        )
    if plan.headers.known:
        lines.append(f'<text class="w-on-board w-middle w-small" x="{middle:g}" y="{y + 18:g}">USB</text>')
    for (side, k), (pin_x, pin_y) in diagram.board_pins.items():
        name = board.label_of(getattr(plan.headers, side)[k])
        text_x = pin_x + (10 if side == "left" else -10)
        off = "" if (pin_x, pin_y) in connected else " w-off"
        anchor = "" if side == "left" else " w-end"
        lines.append(
            f'<circle class="w-pad{off}" cx="{pin_x:g}" cy="{pin_y:g}" r="4.5"/>'
            f'<text class="w-on-board{anchor}{off}" x="{text_x:g}" y="{pin_y + 4:g}">{escape(name)}</text>'
        )
    return "\n".join([*lines, "</g>"])


def _box(box: Box) -> str:
    """Return a part with its pins."""
    part, is_left = box.placed.part, box.side == "left"
    edge, inside = (box.x + box.width, -1) if is_left else (box.x, 1)
    anchor = " w-end" if is_left else ""
    title_x = box.x + 42
    lines = [
        f'<g><rect class="w-part" x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" '
        f'height="{box.height:g}" rx="8"/>',
        f'<g class="w-symbol" transform="translate({box.x + 10:g} {box.y + 9:g})">{SYMBOLS[part.symbol]}</g>',
        f'<text class="w-name" x="{title_x:g}" y="{box.y + 20:g}">{escape(part.title)}</text>',
    ]
    for k, line in enumerate(box.about):
        y = box.y + 36 + 14 * k
        lines.append(f'<text class="w-dim w-small" x="{title_x:g}" y="{y:g}">{escape(line)}</text>')
    for y, name in box.names:
        lines.append(
            f'<text class="w-name{anchor}" x="{edge + 12 * inside:g}" y="{y + 4:g}">{escape(name)}</text>'
        )
    for pin in box.pins:
        connection = pin.connection
        lines.append(
            f'<circle class="w-pad" cx="{edge:g}" cy="{pin.y:g}" r="4.5"/>'
            f'<text class="{anchor.strip()}" x="{edge + 12 * inside:g}" '
            f'y="{pin.y + 4:g}">{escape(connection.pin)}'
            f"{_goes_to(box, pin.connection.role, connection.board_pin)}</text>"
        )
    return "\n".join([*lines, "</g>"])


def _goes_to(box: Box, role: str, board_pin: str) -> str:
    """Return the words after a pin's name: where it goes, if no wire shows it."""
    battery, supply = box.placed.part.battery, box.placed.part.supply
    if role == "battery" and battery:
        return f'<tspan class="w-dim"> battery +, {battery[0]:g} to {battery[1]:g} V</tspan>'
    if role == "supply" and not board_pin and supply:
        return f'<tspan class="w-dim"> supply of its own, {supply[0]:g} to {supply[1]:g} V</tspan>'
    if role == "signal":
        return f'<tspan class="w-dim"> {escape(board_pin)}</tspan>'
    return ""


def _notes(plan: Plan, warnings: list[WiringWarning], diagram: Diagram) -> list[tuple[int, str]]:
    """Return the lines below the drawing, with the number of the warning that begins there, or 0."""
    room = int((diagram.width - 2 * MARGIN - 26) / CHARACTER)
    labels: list[tuple[int, str]] = []
    for number, warning in enumerate(warnings, 1):
        lines = textwrap.wrap(warning.text, room)
        labels += [(number if k == 0 else 0, line) for k, line in enumerate(lines)]
    if any(box.placed.part.battery for box in diagram.boxes):
        labels.append((0, "Connect the minus of the battery to GND."))
    if not plan.headers.known:
        text = f"{plan.hardware.board.title} has no description of its headers: currents are not checked."
        labels += [(0, line) for line in textwrap.wrap(text, room)]
    return labels


def _texts(notes: list[tuple[int, str]], top: float) -> list[str]:
    lines = []
    for k, (number, line) in enumerate(notes):
        y = top + LINE * (k + 0.5)
        if number:
            lines.append(_mark(MARGIN + 9, y - 4, number))
        lines.append(f'<text x="{MARGIN + 26}" y="{y:g}">{escape(line)}</text>')
    return lines


def _marks(plan: Plan, diagram: Diagram, warnings: list[WiringWarning]) -> list[str]:
    """Return the numbers of the warnings at the pins of the board."""
    taken: dict[tuple[str, int], int] = {}
    lines = []
    for number, warning in enumerate(warnings, 1):
        for (side, k), (x, y) in diagram.board_pins.items():
            if getattr(plan.headers, side)[k] == warning.board_pin:
                place = taken[side, k] = taken.get((side, k), 0) + 1
                inside = 1 if side == "left" else -1
                beside = CHARACTER * len(plan.hardware.board.label_of(warning.board_pin)) + 20 * place
                lines.append(_mark(x + inside * (beside + 4), y, number))
                break
    return lines


def _mark(x: float, y: float, number: int) -> str:
    return (
        f'<path class="w-mark" d="M{x:g} {y - 9:g}l9 16h-18z"/>'
        f'<text class="w-number" x="{x:g}" y="{y + 5:g}">{number}</text>'
    )
