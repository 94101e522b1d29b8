"""Boards with an AVR: a small program around simavr's library."""

from __future__ import annotations

from pathlib import Path

from wbridge.libcontroller.compiling import BuildError
from wbridge.wbfirmware.boards.board import USB, Board
from wbridge.wbfirmware.building.symbols import first_steps, symbols
from wbridge.wbfirmware.emulators.compiled import compiled, programs_folder
from wbridge.wbfirmware.emulators.started import is_inside
from wbridge.wbfirmware.template_folders import templates_path

SHARED = "boards/shared/registers", "boards/shared/emulated_parts"
"""Template folders with what this bench shares with the board `host`."""
HEADERS = Path("/usr/include/simavr"), Path("/usr/local/include/simavr")
PACKAGES = "libsimavr-dev"
WORDS = 131072
"""Words of the largest flash, two bytes each: of an ATmega2560."""
RING = "serial_rx"
"""Buffer of bytes from the second serial port, in the firmware's RAM."""
USB_DEVICE = "usb_setup"
"""A function of firmware whose wire is the USB port."""
RAM_BASE = 0x800000
"""Address of RAM in a program file."""


def command(board: Board, program: Path, lockstep: bool, wire: str) -> list[str]:
    """Return the command line of simavr with a program; simavr is built on first use.

    Raises:
        BuildError: the library or the compiler's tools are not installed.
    """
    emulation, places = board.emulation, symbols(board, program)
    port = USB if wire == USB or USB_DEVICE in places else emulation["wire"]
    command = [str(_built()), str(program), "--mcu", emulation["mcu"], "--wire", port]
    command += [word for name, place in emulation["pins"].items() for word in ("--pin", name, place)]
    if "serial" in emulation:
        command += ["--serial", emulation["serial"]]
    if RING in places:
        command += ["--ring", str(places[RING] - RAM_BASE)]
    if lockstep:
        begins = [str(place) for place in first_steps(places)]
        command += ["--lockstep", *(word for place in begins for word in ("--begin", place))]
    return command


def traced(command: list[str], board: Board, program: Path, trace: Path) -> list[str]:
    """See `wbridge.wbfirmware.emulators.Emulator`: a file with one byte per word of the flash."""
    trace.write_bytes(bytes(WORDS))
    return [*command, "--trace", str(trace)]


def executed(trace: Path) -> set[int] | None:
    """See `wbridge.wbfirmware.emulators.Emulator`."""
    return {2 * word for word, count in enumerate(trace.read_bytes()) if count}


def _built() -> Path:
    if is_inside():
        return Path("simavr")
    shared = [templates_path() / name for name in SHARED]
    headers = next((header for header in HEADERS if (header / "sim_avr.h").is_file()), None)
    if headers is None:
        raise BuildError(
            f"simavr is not installed (it emulates boards with an AVR); install it, for example with: "
            f"apt install {PACKAGES}"
        )
    programs = programs_folder()
    folders = [f"-I{headers}", *(f"-I{folder}" for folder in shared), f"-I{programs}"]
    files = [programs / "simavr.c", *sorted(programs.glob("simavr_*.[ch]"))]
    files += [file for folder in shared for file in sorted(folder.glob("*.[ch]"))]
    return compiled(files, folders, ["-lsimavr", "-lutil"])
