"""Format log messages for a terminal."""

from __future__ import annotations

import logging
import sys

from wbridge.colors import RED, YELLOW, colored
from wbridge.hal.printable import printable


class PrintableFormatter(logging.Formatter):
    """Formats messages, which may contain names from a wire or a file; newlines and tabs are kept."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the message without terminal control characters; on a terminal, problems are in color."""
        lines = super().format(record).split("\n")
        text = "\n".join("\t".join(map(printable, line.split("\t"))) for line in lines)
        return colored(text, _color(record.levelno), sys.stderr)


def _color(level: int) -> str:
    if level >= logging.ERROR:
        return RED
    return YELLOW if level >= logging.WARNING else ""
