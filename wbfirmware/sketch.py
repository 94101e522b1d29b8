"""Arrange the files of a project as an Arduino sketch, which the Arduino IDE and PlatformIO build as it is.

They have no linker script and no options for single files, so what the Makefile of other boards does with
names is done in the texts: the controller's functions get their names by a header of macros, and API headers
are included by relative paths.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

__all__ = ["NAMES", "placed", "sketch_files"]

NAMES = "controller_names.h"
"""The header of macros, in front of each file of the controller."""
CONTROLLER, API, SOURCES = "controller", "webots", "src"
STANDARD = ("math", "stdio", "stdlib", "string")
DECLARING = ("heap.h", "print.h", "random.h", "scan.h", "scan_real.h", "sort.h", "words.h")
"""Headers that declare the firmware's replacements."""
_INCLUDE = re.compile(r"^([ \t]*#[ \t]*include[ \t]*)<((?:webots|plugins)/[^>]+)>", re.MULTILINE)
_MAIN = re.compile(r"^int main\(", re.MULTILINE)
INO = """\
/* Starts the firmware, which never returns. */
extern "C" int firmware_main(int argc, char **argv);

void setup() { firmware_main(0, 0); }

void loop() {}
"""
PLATFORMIO = """\
; Choose your board; see https://docs.platformio.org/en/latest/boards/
[platformio]
src_dir = .

[env:uno]
platform = atmelavr
board = uno
framework = arduino
"""


def placed(name: str) -> str:
    """Return the place of a project's file in the sketch: Arduino builds subfolders of `src` only."""
    folder = name.partition("/")[0]
    return f"{SOURCES}/{name}" if "/" in name and folder in (CONTROLLER, API) else name


def sketch_files(files: Mapping[str, str], title: str, renamed: Sequence[str]) -> dict[str, str]:
    """Return the files of the sketch.

    Args:
        files: files of the project.
        title: name of its folder, which the main file must have, too.
        renamed: C library functions that the firmware replaces for the controller.
    """
    made = {placed(name): _text(name, text) for name, text in files.items()}
    made[f"{title}.ino"] = INO
    made["platformio.ini"] = PLATFORMIO
    if any(name.startswith(f"{CONTROLLER}/") for name in files):
        made[NAMES] = _names(files, renamed)
    return made


def _text(name: str, text: str) -> str:
    folder = PurePosixPath(placed(name)).parent
    up = "../" * len([part for part in folder.parts if part != "."])
    text = _INCLUDE.sub(lambda found: f'{found[1]}"{up}{SOURCES}/{found[2]}"', text)
    if not name.endswith(".c"):
        return text
    text = f'#line 1 "{name}"\n{text}'
    if name.startswith(f"{CONTROLLER}/"):
        return f'#include "{up}{NAMES}"\n{text}'
    return "#define FIRMWARE\n" + _MAIN.sub("int firmware_main(", text)


def _names(files: Mapping[str, str], renamed: Sequence[str]) -> str:
    """Return the header of macros. It includes what declares these names first, which macros would break."""
    lines = [
        "/* Gives the controller's functions, and those of the C library, the firmware's names. */",
        "#ifndef CONTROLLER_NAMES_H",
        "#define CONTROLLER_NAMES_H",
        "",
        *(f"#include <{name}.h>" for name in STANDARD),
        "",
        *(f'#include "{name}"' for name in DECLARING if name in files),
        "",
        "_Noreturn void controller_exit(int status);",
        "_Noreturn void controller_abort(void);",
        "",
    ]
    for name in ("main", "exit", *renamed):
        lines += [f"#undef {name}", f"#define {name} controller_{name}"]
    return "\n".join([*lines, "", "#endif", ""])
