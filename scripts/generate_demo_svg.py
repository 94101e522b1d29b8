"""Generate docs/images/demo.svg: a recording of `wbridge` commands on the sample worlds.

    python scripts/generate_demo_svg.py            write the file
    python scripts/generate_demo_svg.py --check    exit 1 when it is out of date

The lines appear one after the other; viewers without animation show the whole text at once.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from html import escape
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(CHECKOUT))

from scripts.generated import write_or_compare  # noqa: E402

OUTPUT = CHECKOUT / "docs" / "images" / "demo.svg"
COMMANDS = (
    "wbridge check worlds",
    "wbridge check docs/images/mistakes.wbt",
    "wbridge devices worlds/two_wheels.wbt",
)

WIDTH_CHARACTERS = 120
CHARACTER_WIDTH, LINE_HEIGHT, MARGIN, BAR = 7.85, 18, 16, 30
TYPING_S, PRINTING_S = 0.9, 0.06

PROGRESS = re.compile(r"\d+/\d+ reading ")
"""Progress lines, which appear on a busy machine."""

STYLE = """
  text { font: 13px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; white-space: pre }
  text { fill: #d4d7dd }
  .prompt { fill: #8bd17c; font-weight: bold }
  .error { fill: #f28b82 }
  .warning { fill: #f6c177 }
  text { animation: appear 0.01s backwards }
  @keyframes appear { from { opacity: 0 } to { opacity: 1 } }
"""


def record(command: str) -> list[str]:
    """Run a command in the checkout and return the lines of both outputs; an input error is allowed."""
    _, *arguments = shlex.split(command)
    done = subprocess.run(
        [sys.executable, "-m", "wbridge", *arguments],
        cwd=CHECKOUT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 2):
        raise RuntimeError(f"{command} failed:\n{done.stdout}")
    return [line for line in done.stdout.splitlines() if not PROGRESS.match(line)]


def kind(line: str) -> str:
    """Return the style of a printed line."""
    return next((name for name in ("error", "warning") if f": {name}: " in line), "plain")


def shorten(line: str) -> str:
    """Return the line shortened to the width of the picture."""
    return line if len(line) <= WIDTH_CHARACTERS else line[: WIDTH_CHARACTERS - 1] + "…"


def draw(recorded: list[tuple[str, list[str]]]) -> str:
    """Return a picture of the commands and their output."""
    rows: list[str] = []
    at_s = 0.0

    def add(line: str, style: str, pause_s: float) -> None:
        nonlocal at_s
        y = BAR + MARGIN + LINE_HEIGHT * len(rows) + 8
        rows.append(
            f'<text x="{MARGIN}" y="{y}" class="{style}" xml:space="preserve"'
            f' style="animation-delay:{at_s:.2f}s">{escape(shorten(line), quote=False)}</text>'
        )
        at_s += pause_s

    for command, lines in recorded:
        add(f"$ {command}", "prompt", TYPING_S)
        for line in lines:
            add(line, kind(line), PRINTING_S)
        add("", "plain", TYPING_S)
    width = round(WIDTH_CHARACTERS * CHARACTER_WIDTH + 2 * MARGIN)
    height = BAR + 2 * MARGIN + LINE_HEIGHT * (len(rows) - 1)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
            f' viewBox="0 0 {width} {height}">',
            "<!-- Made by scripts/generate_demo_svg.py -->",
            f"<style>{STYLE}</style>",
            f'<rect width="{width}" height="{height}" rx="8" fill="#1d2027"/>',
            *(f'<circle cx="{20 + 18 * i}" cy="17" r="5.5" fill="#4a4f5a"/>' for i in range(3)),
            *rows,
            "</svg>",
            "",
        ]
    )


def main() -> int:
    """Write or compare the picture; return the exit code."""
    return write_or_compare(
        "Make docs/images/demo.svg from what the commands print.",
        lambda: {OUTPUT: draw([(command, record(command)) for command in COMMANDS])},
    )


if __name__ == "__main__":
    sys.exit(main())
