"""How log messages look in a terminal."""

from __future__ import annotations

import logging

from hal.printable import printable

__all__ = ["PrintableFormatter"]


class PrintableFormatter(logging.Formatter):
    """Formats messages, which may hold names from a wire or a file; lines and tabs stay as they are."""

    def format(self, record: logging.LogRecord) -> str:
        """The message, without anything that a terminal obeys."""
        lines = super().format(record).split("\n")
        return "\n".join("\t".join(map(printable, one.split("\t"))) for one in lines)
