"""Write the report of a comparison: a self-contained HTML file."""

from __future__ import annotations

import re
from pathlib import Path

from wbridge.wbfirmware.building.build import Built
from wbridge.wbfirmware.wiring.connections import plan_wiring
from wbridge.wbfirmware.wiring.drawing import draw_wiring
from wbridge.wbverify.flavor_check import HIL, SLAVE, STANDALONE, FlavorResult, VerificationResult
from wbridge.wbverify.plots import HEIGHT, STRIP, WIDTH, plot
from wbridge.wbverify.step_table import Column, columns
from wbridge.wbverify.summary import UNKNOWN

TEMPLATE = "report.html.j2"
MOST_PLOTS, MOST_LINES = 24, 50
TITLES = {
    HIL: "hil: at the robot link",
    STANDALONE: "standalone: by its pins",
    SLAVE: "slave: by link and pins",
}
_BUILD = re.compile(r'^#define LINK_BUILD "(.*)"', re.MULTILINE)


def write_report(path: Path, result: VerificationResult) -> None:
    """Write the report.

    Raises:
        OSError: the file cannot be written.
    """
    import jinja2  # start-up: 77 ms, only where text is generated

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=True,
    )
    text = environment.get_template(TEMPLATE).render(
        found=result,
        unknown=UNKNOWN,
        hardware=result.hardware,
        wiring=draw_wiring(plan_wiring(result.hardware)),
        board=result.hardware.board,
        checks=[_words(check) for check in result.checks],
        most_lines=MOST_LINES,
        width=WIDTH,
        height=HEIGHT,
        strip=STRIP,
    )
    path.write_text(text, encoding="utf-8")


def _words(check: FlavorResult) -> dict[str, object]:
    """Return the template variables of a flavor."""
    tables = columns(check.rows)
    changing = [column for column in tables if _changes(column)]
    return {
        "check": check,
        "build": build_name(check.built),
        "sizes": _sizes(check.built),
        "title": TITLES[check.flavor],
        "values": tables,
        "compared": sum(not column.is_given for column in tables),
        "plots": [(column, plot(column)) for column in changing[:MOST_PLOTS]],
        "unplotted": len(changing) - len(changing[:MOST_PLOTS]),
        "wrong": sum(column.wrong for column in tables),
        "simulated_s": check.steps * check.step_ms / 1000,
    }


def _changes(column: Column) -> bool:
    """Return True if a value is not constant."""
    return column.wrong > 0 or len({row.desktop for row in column.rows}) > 1


def build_name(built: Built) -> str:
    """Return the build name as the board reports it; "" if unknown."""
    place = built.program.parent / "config.h"
    match = _BUILD.search(place.read_text(encoding="utf-8")) if place.is_file() else None
    return match[1] if match else ""


def _sizes(built: Built) -> list[tuple[str, int, int]]:
    """Return name, bytes and limit (0: none) of each memory."""
    size, board = built.size, built.board
    sizes = [("flash", size.flash, board.flash), ("RAM", size.ram, board.ram)]
    if size.stack is not None:
        sizes.append(("stack", size.stack, board.ram - size.ram))
    return sizes
