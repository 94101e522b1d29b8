"""Runs programs of another processor, and all that they start, without a change of this system."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

__all__ = ["SCRIPT", "emulated"]

HEAD = "\\x7fELF\\x02\\x01\\x01" + "\\x00" * 9 + "\\x02\\x00\\xb7\\x00"
"""How programs for AArch64 begin: a file in the format ELF, 64 bits, executable (2), machine 0xb7."""
MASK = "\\xff" * 7 + "\\x00" + "\\xff" * 8 + "\\xfe" + "\\xff" * 3
"""Bits of the head that count: neither the kind of system, nor whether the program can be moved (2 or 3)."""
SCRIPT = (
    "mount -t binfmt_misc none /proc/sys/fs/binfmt_misc && "
    "printf %s ':aarch64:M::{head}:{mask}:{program}:F' > /proc/sys/fs/binfmt_misc/register && "
    'exec "$@"'
)
"""Tells the kernel who runs such programs: in a user namespace of its own, as no other process sees it."""


def emulated(command: Sequence[str], tools: Path) -> list[str]:
    """Return the command that runs a command whose programs are for AArch64.

    Args:
        command: to run, by root.
        tools: the folder with the emulator.
    """
    program = tools / "usr" / "bin" / "qemu-aarch64-static"
    script = SCRIPT.format(head=HEAD, mask=MASK, program=program)
    return ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", *command]
