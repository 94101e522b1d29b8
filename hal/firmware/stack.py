"""How deep the stack of a program can become: the longest chain of calls, and the deepest interrupt on it.

The compiler tells the bytes of each function (-fstack-usage), the disassembly tells who calls whom. Firmware
has no recursion and no calls through pointers; where the disassembly shows one, there is no bound.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

__all__ = ["stack_bound"]

_FUNCTION = re.compile(r"^[0-9a-f]+ <([^>]+)>:$", re.MULTILINE)
_CALL = re.compile(r"\t(?:r?call|r?jmp|bl|b|b\.n|b\.w|jal|j|tail)\s[^<\n]*<([^>+]+)>")
_INDIRECT = re.compile(r"\t(?:e?icall|e?ijmp|blx\s+r|jalr\s)")
RETURN_BYTES = 4
"""Of an address on the stack; on most processors less."""
RUNTIME_BYTES = 24
"""What a function of the compiler's own library takes, which tells nothing."""
MAIN = "main"


def stack_bound(disassembly: str, usage: Iterable[Path], interrupts: str, interrupt_stack: int) -> int | None:
    """Most bytes that the stack can take.

    Args:
        disassembly: of the whole program, as objdump -d writes it.
        usage: the files *.su of the compiler.
        interrupts: how the names of interrupt functions begin.
        interrupt_stack: bytes that an interrupt takes beside those of its function.

    Returns:
        None when there is no bound: recursion, or a call through a pointer in the project's own functions.
    """
    own = _usage(usage)
    bodies = _bodies(disassembly)
    if any(_INDIRECT.search(body) for name, body in bodies.items() if name in own):
        return None
    calls = {name: set(_CALL.findall(body)) & bodies.keys() for name, body in bodies.items()}
    on_the_way: set[str] = set()

    @cache
    def depth(name: str) -> int:
        if name in on_the_way and name in own:
            raise RecursionError
        if name in on_the_way:
            return 0
        on_the_way.add(name)
        deepest = max((depth(one) + RETURN_BYTES for one in sorted(calls[name]) if one != name), default=0)
        on_the_way.discard(name)
        return own.get(name, RUNTIME_BYTES) + deepest

    try:
        interrupt = max((depth(name) for name in bodies if name.startswith(interrupts)), default=0)
        return depth(MAIN) + RETURN_BYTES + interrupt + (interrupt_stack if interrupt else 0)
    except RecursionError:
        return None


def _usage(files: Iterable[Path]) -> dict[str, int]:
    """Bytes of each function; of several with one name the most."""
    found: dict[str, int] = {}
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            place, size, *_ = line.split("\t")
            name = place.rpartition(":")[2]
            found[name] = max(found.get(name, 0), int(size))
    return found


def _bodies(disassembly: str) -> dict[str, str]:
    """The lines of each function."""
    parts = _FUNCTION.split(disassembly)
    return dict(zip(parts[1::2], parts[2::2], strict=True))
