"""Format log messages for a terminal."""

from __future__ import annotations

import logging

from hal.printable import printable

__all__ = ["PrintableFormatter"]


class PrintableFormatter(logging.Formatter):
    """Formats messages, which may contain names from a wire or a file; newlines and tabs are kept."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the message without terminal control characters."""
        lines = super().format(record).split("\n")
        return "\n".join("\t".join(map(printable, one.split("\t"))) for one in lines)
