"""Compare what a controller prints on the desktop and on the board, line by line."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbverify.coupling.couplings import ROUNDINGS
from wbridge.wbverify.desktop_text import PrintedLine
from wbridge.wbverify.number_formats import double_bytes

_OWN = re.compile(r"wbridge: [^\n]*(?:\n|$)")
"""A message of the firmware; it may follow a line that the controller has not finished."""
_LIBRARY = re.compile(r"(?:Error|Warning): \w+\(\) ")
"""Beginning of a message of the desktop's library, in whose place the firmware has its own."""
_NUMBER = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)")
_PARTS = re.compile(r"[-+]?\d*\.?(\d*)(?:[eE]([-+]?\d+))?")


class TextDifference(NamedTuple):
    """A line that differs."""

    line: int
    """From 1."""
    step: int
    """The step in which the desktop has printed it or, if it has not, the board."""
    desktop: str | None
    """None: there is no such line."""
    board: str | None

    def __str__(self) -> str:
        desktop, board = ("nothing" if line is None else f'"{line}"' for line in (self.desktop, self.board))
        return f"line {self.line} (step {self.step}): {desktop} on the desktop, {board} on the board"


class TextComparison(NamedTuple):
    """The result of comparing what both controllers have printed."""

    lines: int
    """Compared lines."""
    differences: list[TextDifference]
    rounded: list[TextDifference]
    """Lines that agree, but for digits that the board's numbers do not have."""
    reason: str = ""
    """Why the text may differ, by the hardware map; "": it may not."""

    @property
    def agrees(self) -> bool:
        """True if the text is equal or may differ."""
        return not self.differences or bool(self.reason)

    @property
    def is_needless(self) -> bool:
        """True if the map lets the text differ, and it does not."""
        return bool(self.reason) and not self.differences

    def __str__(self) -> str:
        if not self.lines:
            return "the controller prints nothing"
        summary = f"{len(self.differences)} of {self.lines} printed lines differ; first: "
        if not self.differences:
            summary = f"{self.lines} printed lines agree"
            if self.rounded:
                summary += (
                    f", {len(self.rounded)} of them but for digits that the board's numbers do not have"
                )
            return summary
        summary += str(self.differences[0])
        return f"{summary}; they may differ, because: {self.reason}" if self.reason else summary


def board_lines(data: bytes) -> list[str]:
    """Return the lines that the controller on a board has printed, without the firmware's own messages.

    Ends of lines are "\\n" or "\\r\\n". An unfinished last line does not count.
    """
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    return _OWN.sub("", text).split("\n")[:-1]


def precision_of(hardware: Hardware, is_exact: bool) -> float:
    """Return the relative difference of printed numbers that the board's arithmetic explains: as many
    roundings as for commands (`ROUNDINGS`), by half a unit in the last place; 0: none.

    Args:
        hardware: the hardware map.
        is_exact: the board has the desktop's mathematical functions.
    """
    wide = double_bytes(hardware.board) == 8
    if wide and is_exact:
        return 0.0
    return ROUNDINGS * float(np.finfo(np.float64 if wide else np.float32).eps) / 2


def compare_text(
    desktop: Sequence[PrintedLine],
    board: bytes,
    sizes: Sequence[int],
    relative: float,
    has_ended: bool = False,
    reason: str = "",
) -> TextComparison:
    """Compare printed text.

    Args:
        desktop: the lines of the desktop's controller, also those of the step that follows the run, in which
        a board may already have begun.
        board: what the board has printed, also after the run: a serial line may be slow.
        sizes: number of bytes that the board had printed at the end of each step.
        relative: see `precision_of`.
        has_ended: the desktop's controller ended by itself, so all its lines belong to the run.
        reason: why the text may differ; "": it may not.
    """
    own = [
        line._replace(text=line.text.removesuffix("\r"))
        for line in desktop
        if not _LIBRARY.match(line.text) and not _OWN.match(line.text)
    ]
    lines, in_time = board_lines(board), board_lines(board[: sizes[-1]] if sizes else b"")
    wanted = sum(has_ended or line.step < len(sizes) for line in own)
    expected = [line.text for line in own]
    count = max(wanted, len(in_time))
    differences: list[TextDifference] = []
    rounded: list[TextDifference] = []
    for line in range(count):
        texts = (_at(expected, line), _at(lines, line))
        if texts[0] == texts[1]:
            continue
        step = own[line].step if line < len(own) else _step_of(board, sizes, line)
        difference = TextDifference(line + 1, step, *texts)
        (rounded if _differs_in_digits(*texts, relative) else differences).append(difference)
    return TextComparison(count, differences, rounded, reason)


def _at(lines: Sequence[str], line: int) -> str | None:
    return lines[line] if line < len(lines) else None


def _step_of(board: bytes, sizes: Sequence[int], line: int) -> int:
    """Return the step in which the board has finished a line, from 0."""
    return bisect_left(sizes, line + 1, key=lambda size: len(board_lines(board[:size])))


def _differs_in_digits(desktop: str | None, board: str | None, relative: float) -> bool:
    """Return True if two lines differ only in digits of reals beyond a relative precision."""
    if desktop is None or board is None or relative == 0:
        return False
    words, other = _NUMBER.split(desktop), _NUMBER.split(board)
    if len(words) != len(other):
        return False
    texts = all(a.split() == b.split() for a, b in zip(words[::2], other[::2], strict=True))
    return texts and all(_is_near(a, b, relative) for a, b in zip(words[1::2], other[1::2], strict=True))


def _is_near(text: str, other: str, relative: float) -> bool:
    """Return True for numbers that may be the same: if both have a decimal point, one unit in the last digit
    of the one with more digits may differ, too."""
    if text == other:
        return True
    if text.lstrip("+-").isdigit() and other.lstrip("+-").isdigit():
        return False  # whole numbers
    a, b = float(text), float(other)
    unit = min(_last_place(text), _last_place(other)) if "." in text and "." in other else 0.0
    return abs(a - b) <= relative * max(abs(a), abs(b)) + unit * 1.001


def _last_place(number: str) -> float:
    """Return the value of a unit in the last digit of a printed number."""
    match = _PARTS.fullmatch(number)
    assert match is not None, "it is one of _NUMBER"
    return 10.0 ** (int(match[2] or 0) - len(match[1]))
