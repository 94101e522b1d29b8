"""Releases of Java: what a class needs, and what an installation is.

A class file begins with the number 0xCAFEBABE, then its minor and major version; the major version of Java N
is N + 44 (Java Virtual Machine Specification, chapter 4.1).
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

FIRST = 44
MAGIC = b"\xca\xfe\xba\xbe"


def needed_by(file: Path, name: str) -> int | None:
    """Return the release of Java that a controller needs at least; None if its file cannot be read.

    Args:
        file: a class file, or an archive with the class.
        name: name of the class.
    """
    from zipfile import BadZipFile, ZipFile  # start-up: 2 ms

    try:
        if file.suffix == ".jar":
            with ZipFile(file) as archive:
                code = archive.read(f"{name}.class")
        else:
            code = file.read_bytes()
    except (OSError, KeyError, BadZipFile):
        return None
    return int.from_bytes(code[6:8], "big") - FIRST if code[:4] == MAGIC else None


def release_of(program: str) -> int | None:
    """Return the release of a program's Java, for example 17; None if it does not state it."""
    found = shutil.which(program)
    note = Path(found).resolve().parent.parent / "release" if found else Path()
    text = note.read_text("utf-8", "replace") if note.is_file() else ""
    version = re.search(r'^JAVA_VERSION="(?:1\.)?(\d+)', text, re.MULTILINE)
    return int(version[1]) if version else None
