#!/usr/bin/env python3
"""Install the emulator of boards with an RP2040 from npm into wbridge's cache folder, unless it is there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from wbridge.hal.folders import cache_folder
from wbridge.libcontroller.compiling import BuildError
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.emulators.rp2040 import emulator_module

BOARD = "pico"


def main() -> int:
    """Install it; return the exit code of npm."""
    board = load_board(BOARD)
    try:
        emulator_module(board)
    except BuildError:
        folder = cache_folder() / "rp2040js"
        words = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder)]
        return subprocess.run([*words, board.emulation["package"]], check=False).returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
