"""How libraries of controllers are named and linked: on Linux, and on macOS (compiled, not run)."""

from __future__ import annotations

import platform
import struct
import sys
from pathlib import Path

__all__ = [
    "PREFIXES",
    "SUFFIX",
    "library_options",
    "run_path",
    "runs_here",
    "write_exports",
]

IS_MACOS = sys.platform == "darwin"
SUFFIX = ".dylib" if IS_MACOS else ".so"
"""The end of the names of libraries."""
PREFIXES = ("wb_", "wbu_", "wbr_", "wbh_")
"""The library exports only the API, and (wbh_*) what loads plugins into Python, and what functions in headers
call."""
MACH_O = b"\xcf\xfa\xed\xfe"
"""The beginning of programs for macOS with 64 bits (<mach-o/loader.h>)."""
CPU_TYPES = {"x86_64": 0x01000007, "arm64": 0x0100000C}
"""Processors by the names of `platform.machine` (<mach/machine.h>)."""


def write_exports(file: Path, is_macos: bool = IS_MACOS) -> None:
    """Write the list of what a library exports, as the linker reads it."""
    if is_macos:  # manual page ld(1), exported_symbols_list
        text = "".join(f"_{prefix}*\n" for prefix in PREFIXES)
    else:
        text = f"{{ global: {' '.join(f'{prefix}*;' for prefix in PREFIXES)} local: *; }};\n"
    file.write_text(text, encoding="ascii")


def library_options(name: str, exports: Path | None = None, is_macos: bool = IS_MACOS) -> list[str]:
    """Return the options that link a library.

    Args:
        name: by which programs ask for it.
        exports: a file of `write_exports`; None: all is exported, and nothing may be missing.
        is_macos: for that system, or for Linux.
    """
    if is_macos:
        listed = [f"-Wl,-exported_symbols_list,{exports}"] if exports is not None else []
        return ["-dynamiclib", f"-Wl,-install_name,@rpath/{name}", *listed]
    listed = ["-Wl,--no-undefined"] if exports is None else [f"-Wl,--version-script={exports}"]
    return ["-shared", *listed, f"-Wl,-soname,{name}"]


def run_path(is_macos: bool = IS_MACOS) -> str:
    """Return the option by which a library finds others in its folder."""
    return "-Wl,-rpath,@loader_path" if is_macos else "-Wl,-rpath,$ORIGIN"


def runs_here(code: bytes, is_macos: bool = IS_MACOS) -> bool:
    """True for the executable format of the Python interpreter (ELF class, byte order, machine), and on macOS
    for the processor's: Python itself may be a file for several ones there.

    Args:
        code: the program.
        is_macos: for that system, or for Linux.
    """
    if is_macos:
        kind = struct.pack("<I", CPU_TYPES.get(platform.machine(), 0))
        return code[:4] == MACH_O and code[4:8] == kind
    with Path(sys.executable).open("rb") as own:
        head = own.read(20)
    return code[:6] == head[:6] and code[18:20] == head[18:20]
