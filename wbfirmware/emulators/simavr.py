"""Boards with an AVR: simavr's library, with a small program of our own around it."""

from __future__ import annotations

from pathlib import Path

from libcontroller.compiling import BuildError
from wbfirmware.boards import Board
from wbfirmware.emulators.compiled import compiled
from wbfirmware.symbols import first_steps, symbols
from wbfirmware.template_folders import templates_path

__all__ = ["command", "executed", "traced"]

SOURCE = Path(__file__).with_suffix(".c")
SHARED = "boards/shared/registers"
"""Among the templates: what this bench has in common with that of the board `host`."""
HEADERS = Path("/usr/include/simavr"), Path("/usr/local/include/simavr")
PACKAGES = "libsimavr-dev"
WORDS = 16384
"""Of the processor's flash, each of two bytes."""


def command(board: Board, program: Path, lockstep: bool, wire: str) -> list[str]:
    """simavr with a program; it is built when it is used for the first time.

    Raises:
        BuildError: the library or the compiler's tools are not installed.
    """
    made = [str(_built()), str(program)]
    if lockstep:
        begins = [str(place) for place in first_steps(symbols(board, program))]
        made += ["--lockstep", *(word for place in begins for word in ("--begin", place))]
    return made


def traced(command: list[str], board: Board, program: Path, trace: Path) -> list[str]:
    """See `wbfirmware.emulators.Emulator`: a file of a byte for each word of the flash."""
    trace.write_bytes(bytes(WORDS))
    return [*command, "--trace", str(trace)]


def executed(trace: Path) -> set[int] | None:
    """See `wbfirmware.emulators.Emulator`."""
    return {2 * word for word, one in enumerate(trace.read_bytes()) if one}


def _built() -> Path:
    shared = templates_path() / SHARED
    headers = next((one for one in HEADERS if (one / "sim_avr.h").is_file()), None)
    if headers is None:
        raise BuildError(
            f"simavr is not installed (it emulates boards with an AVR); install it, for example with: "
            f"apt install {PACKAGES}"
        )
    folders = [f"-I{headers}", f"-I{shared}"]
    return compiled([SOURCE, *sorted(shared.glob("*.[ch]"))], folders, ["-lsimavr", "-lutil"])
