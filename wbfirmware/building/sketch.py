"""Arrange the files of a project as an Arduino sketch, which the Arduino IDE and PlatformIO build as it is.

They have no linker script and no options for single files, so what the Makefile of other boards does with
names is done in the texts: the controller's functions get their names by a header of macros, and API headers
are included by relative paths.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from wbridge.wbfirmware.map.api import STANDARD as CXX_STANDARD
from wbridge.wbfirmware.map.controllers import CXX_SUFFIXES

NAMES = "controller_names.h"
"""The header of macros, in front of each file of the controller."""
CONTROLLER, SOURCES = "controller", "src"
API = ("webots", "wbridge")
"""Folders of headers."""
HOST = "host"
"""Folder with an Arduino core for this computer. Arduino's tools do not look there."""
STANDARD = ("math", "stdio", "stdlib", "string")
DECLARING = ("heap.h", "print.h", "random.h", "scan.h", "scan_real.h", "sort.h", "words.h")
"""Headers that declare the firmware's replacements."""
PRINTS = "iostream"
"""The header of the C++ library that is ours also for processors whose compilers have one: it prints by the
firmware."""
_INCLUDE = re.compile(r"^([ \t]*#[ \t]*include[ \t]*)<([^>]+)>", re.MULTILINE)
_MAIN = re.compile(r"^int main\(", re.MULTILINE)
INO = """\
/* Starts the firmware, which never returns. */
extern "C" int firmware_main(int argc, char **argv);

void setup() { firmware_main(0, 0); }

void loop() {}
"""
LIBRARY = """\
#ifdef __AVR__ /* whose compiler has no C++ library */
{text}
#else
#include <{name}>
#endif
"""
PLATFORMIO = """\
; Choose your board; see https://docs.platformio.org/en/latest/boards/
[platformio]
src_dir = .
"""
IGNORED = """\
secrets.h
certificate.h
build/
firmware.elf
.pio/
"""
"""What is not for version control: above all the passwords."""
SECRET = "secrets.h"
SECRETS = """\
/* Your network. wbridge writes this file once and never changes it; .gitignore excludes it. */
#define WIFI_NAME "my network"
#define WIFI_PASSWORD "its password"

/* For wire = "tcp" and "tcps": the token that controllers need, as in tcp://:TOKEN@ADDRESS:PORT; "": none. */
#define ROBOT_TOKEN ""

/* ESP32 and Pico W: the password for firmware over the air; "": none. The board's name in the network is
 * ROBOT_NAME.local. */
#define UPDATE_PASSWORD ""
#define ROBOT_NAME "robot"

/* For wire = "mqtt": the robot's own name and password at the broker; "": none. */
#define BROKER_USER ""
#define BROKER_PASSWORD ""
"""


def placed(name: str) -> str:
    """Return the place of a project's file in the sketch: Arduino builds subfolders of `src` only, and needs
    suffixes."""
    folder = name.partition("/")[0]
    if folder == CXX_STANDARD and "/" in name:
        return f"{SOURCES}/{name}.hpp"
    return f"{SOURCES}/{name}" if "/" in name and folder in (CONTROLLER, *API) else name


def sketch_files(
    files: Mapping[str, str], title: str, renamed: Sequence[str], platformio: str
) -> dict[str, str]:
    """Return the files of the sketch.

    Args:
        files: files of the project.
        title: name of its folder, which the main file must have, too.
        renamed: C library functions that the firmware replaces for the controller.
        platformio: the environment of the board.
    """
    placed_texts = {placed(name): _text(name, text, files) for name, text in files.items()}
    placed_texts[f"{title}.ino"] = INO
    placed_texts["platformio.ini"] = PLATFORMIO + platformio
    placed_texts[".gitignore"] = IGNORED
    if any(name.startswith(f"{CONTROLLER}/") for name in files):
        placed_texts[NAMES] = _names(files, renamed)
    return placed_texts


def write_secrets(folder: Path) -> None:
    """Write the file for names and passwords, readable by its owner only, unless it exists.

    Raises:
        OSError: it cannot be written.
    """
    with contextlib.suppress(FileExistsError):
        number = os.open(folder / SECRET, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(number, "w", encoding="utf-8") as file:
            file.write(SECRETS)


def _text(name: str, text: str, files: Mapping[str, str]) -> str:
    if name.startswith(f"{HOST}/"):
        return text
    path = PurePosixPath(placed(name))
    up = "../" * len([part for part in path.parent.parts if part != "."])

    def include(inclusion: re.Match[str]) -> str:
        own = inclusion[2] if "/" in inclusion[2] else f"{CXX_STANDARD}/{inclusion[2]}"
        return f'{inclusion[1]}"{up}{placed(own)}"' if own in files else inclusion[0]

    text = _INCLUDE.sub(include, text)
    if name.startswith(f"{CXX_STANDARD}/"):
        return text if path.stem == PRINTS else LIBRARY.format(text=text, name=path.stem)
    if path.suffix in (*CXX_SUFFIXES, ".hpp"):
        text = _MAIN.sub(f'extern "C" int {CONTROLLER}_main(', text)
    if path.suffix not in (".c", *CXX_SUFFIXES):
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
        "#ifdef __cplusplus",
        'extern "C" {',
        "#endif",
        *(f'#include "{name}"' for name in DECLARING if name in files),
        "",
        "void controller_exit(int status) __attribute__((noreturn));",
        "void controller_abort(void) __attribute__((noreturn));",
        "#ifdef __cplusplus",
        "}",
        "#endif",
        "",
    ]
    for name in ("main", "exit", *renamed):
        lines += [f"#undef {name}", f"#define {name} controller_{name}"]
    if any(PurePosixPath(name).suffix in CXX_SUFFIXES for name in files if name.startswith(CONTROLLER)):
        lines += ["", "/* The sketch has functions with these names. */"]
        lines += [f"#define {name} controller_{name}" for name in ("setup", "loop")]
    return "\n".join([*lines, "", "#endif", ""])
