"""The commands by which a project's Makefile builds its program, for where there is no `make`."""

from __future__ import annotations

from collections.abc import Iterator

from wbridge.wbfirmware.building.build import PROGRAM
from wbridge.wbfirmware.building.generate import make_words
from wbridge.wbfirmware.map.hardware import Hardware

SECTIONS = ("-ffunction-sections", "-fdata-sections", "-fstack-usage")
DEBUG = ("-gdwarf-4", "-gno-record-gcc-switches")
"""Of the Makefile's; the paths of a folder without `make` are the same for everybody."""
WARNINGS = ("-Wall", "-Wextra", "-Wconversion", "-Werror", "-Wno-error=conversion")
FIXED_DATE = (
    *("-Wno-builtin-macro-redefined", '-D__DATE__="Jan  1 1970"', '-D__TIME__="00:00:00"'),
    '-D__TIMESTAMP__="Thu Jan  1 00:00:00 1970"',
)
CONTROLLERS = "users_controller.o"


def commands(hardware: Hardware) -> list[list[str]]:
    """Return the words of each command, in order; they run in the project's folder.

    Args:
        hardware: the hardware map, of a board whose projects have a Makefile.
    """
    words, compiler = make_words(hardware), hardware.board.compiler
    has_controller = hardware.controller is not None
    target = [*compiler.flags, *SECTIONS, *DEBUG, "-I."]
    own = [compiler.command, *target, *WARNINGS, *(["-DFIRMWARE"] if has_controller else [])]
    steps = [[*own, "-c", "-o", _object(name), name] for name in words["sources"]]
    objects = [_object(name) for name in words["sources"]]
    if has_controller:
        steps += _controllers(hardware, target, words["controller_sources"])
        steps += _joined(compiler.command, target, words)
        objects.append(CONTROLLERS)
    return [*steps, [*own, "-o", PROGRAM, *objects, *compiler.link, "-lm"]]


def _object(name: str) -> str:
    return f"{name.removesuffix('.c')}.o"


def _controllers(hardware: Hardware, target: list[str], sources: list[str]) -> Iterator[list[str]]:
    """Return the commands that compile the user's files."""
    compiler = hardware.board.compiler
    last = [*FIXED_DATE, "-U_FORTIFY_SOURCE", "-Icontroller", "-c", "-o"]
    c = [compiler.command, *target, "-Wall", "-Wno-unused", "-Werror=implicit-function-declaration"]
    cxx = [compiler.cxx, *compiler.cxx_flags, *SECTIONS, *DEBUG, "-I.", "-Wall", "-Wno-unused"]
    for name in sources:
        first = [*c, "-fno-common"] if name.endswith(".c") else cxx
        yield [*first, *last, f"{name}.o", name]


def _joined(command: str, target: list[str], words: dict[str, list[str]]) -> Iterator[list[str]]:
    """Return the commands that join the user's objects, with names that cannot clash with the firmware's."""
    objects = [f"{name}.o" for name in words["controller_sources"]]
    plain = [word for word in target if not word.startswith("--specs=")]
    yield [command, *plain, "-r", "-nostdlib", "-o", CONTROLLERS, *objects]
    named = [word for name in ("main", "exit") for word in ("--redefine-sym", f"{name}=controller_{name}")]
    renamed, aliases = (
        [word for pair in words[key] for word in pair.split()] for key in ("renamed", "aliases")
    )
    yield [str(words["objcopy"]), *named, *renamed, CONTROLLERS]
    yield [str(words["objcopy"]), *aliases, "--keep-global-symbol=controller_main", CONTROLLERS]
