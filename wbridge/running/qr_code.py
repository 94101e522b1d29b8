"""Show the address of windows as a QR code in the terminal, for phones."""

from __future__ import annotations

import sys


def show_code(url: str) -> None:
    """Print the code on stderr, if that is a terminal and the package `segno` is installed."""
    if not sys.stderr.isatty():
        return
    try:
        import segno
    except ImportError:
        return  # the address is printed in any case
    segno.make(url, error="l", micro=False).terminal(out=sys.stderr, compact=True)
