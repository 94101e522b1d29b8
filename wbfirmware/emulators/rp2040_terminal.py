"""Replaces itself by a program whose wire is a pseudo terminal, which Node.js cannot open.

usage: python -m wbridge.wbfirmware.emulators.rp2040_terminal PROGRAM ARGUMENT...
The program gets two more options: --terminal DESCRIPTOR NAME.
"""

from __future__ import annotations

import os
import sys
import tty


def main(words: list[str]) -> None:
    """Open a terminal and run the program."""
    here, there = os.openpty()
    tty.setraw(there)
    os.set_blocking(here, False)
    for end in (here, there):
        os.set_inheritable(end, True)  # the other end, too: the terminal stays open without a reader
    os.execv(words[0], [*words, "--terminal", str(here), os.ttyname(there)])


if __name__ == "__main__":
    main(sys.argv[1:])
