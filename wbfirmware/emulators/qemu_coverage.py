"""Options of QEMU by which it lists the instructions that run."""

from __future__ import annotations

import re
from pathlib import Path

from wbridge.wbfirmware.emulators.compiled import compiled, programs_folder
from wbridge.wbfirmware.tools import run

PLUGIN = "qemu_coverage.c"
FIRST_WITH_API_2 = 9
"""Major version of QEMU; it refuses plugins of version 1 of the API, earlier ones those of version 2."""


def trace_options(program: str, trace: Path) -> list[str]:
    """Return the options that make QEMU list the instructions of each block that it translates.

    Args:
        program: QEMU for the board's processor.
        trace: the file to write. QEMU without plugins writes its own log there, which is large and slow.

    Raises:
        BuildError: the compiler is missing or failed.
    """
    folder = trace.parent
    if "-plugin" not in run([program, "-help"], folder):
        return ["-d", "in_asm", "-D", str(trace)]
    version = re.search(r"version (\d+)", run([program, "--version"], folder))
    api = 2 if version is not None and int(version[1]) >= FIRST_WITH_API_2 else 1
    plugin = compiled(
        [programs_folder() / PLUGIN], ["-shared", "-fPIC", "-fvisibility=hidden", f"-DAPI_VERSION={api}"]
    )
    return ["-plugin", f"{_escaped(plugin)},out={_escaped(trace)}"]


def _escaped(path: Path) -> str:
    return str(path).replace(",", ",,")
