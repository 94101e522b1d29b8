#!/usr/bin/env python3
"""Generate the headers in libcontroller/include, the regular part of the library in
libcontroller/src/generated, the C++ classes in libcontroller/cpp, the constants for Java, and the table of
functions for Octave.

In hal/catalogue/spec, api.json lists types, constants and functions, methods.json describes them. `--check`
only compares.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts import c_functions, c_headers, cpp_classes, java_interface, octave_interface, remote_interface  # noqa: E402
from scripts.api_sources import with_unlisted  # noqa: E402
from scripts.generated import Made, specification, write_or_compare  # noqa: E402

FOLDER = ROOT / "libcontroller"


def generate() -> dict[Path, str]:
    """Return the text of each file."""
    spec = with_unlisted(specification("api"))
    made = {FOLDER / "include" / name: text for name, text in c_headers.headers(spec).items()}
    made |= {FOLDER / "src" / "generated" / name: text for name, text in c_functions.files(spec).items()}
    classes = cpp_classes.files(spec)
    made |= {FOLDER / "cpp" / name: text for name, text in classes.items()}
    made[FOLDER / "java" / "generated.i"] = java_interface.file(spec, classes)
    made[FOLDER / "src" / "generated" / "remote_functions.h"] = remote_interface.c_functions(spec)
    made[ROOT / "hal" / "remote_functions.py"] = remote_interface.python_table(spec)
    made[ROOT / "hal" / "remote_inputs.py"] = remote_interface.python_inputs()
    made[FOLDER / "octave" / "generated.h"] = octave_interface.file(spec)
    made[FOLDER / "octave" / "constants.txt"] = octave_interface.constants(spec)
    return made


def stale(made: Made) -> list[Path]:
    """Return files that this script generated earlier but no longer does."""
    files = [one for one in FOLDER.rglob("*") if one.suffix in (".c", ".h", ".cpp", ".hpp")]
    present = [one for one in files if c_headers.MARK in one.read_text("utf-8")[:400]]
    return [one for one in present if one not in made]


def main() -> int:
    """Write or check the files; return the exit code."""
    return write_or_compare(
        "Make the headers, the regular functions and the classes of the C API.", generate, stale
    )


if __name__ == "__main__":
    sys.exit(main())
