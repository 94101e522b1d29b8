"""Bound the stack depth of a program: the longest chain of calls, plus the deepest interrupt.

The compiler reports the bytes of each function (-fstack-usage), and the disassembly shows the calls; for
library functions it also shows what they push. Firmware has no recursion and no calls through pointers; if a
user's controller has them, there is no bound, and the functions are named. Interrupts must not nest: none may
enable others before it has ended. (On Cortex-M all have the same priority, which prevents it.)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

_LOCAL = re.compile(r"^[0-9a-f]+ <(?:\.L|L\d+\^)[^>]*>:\n", re.MULTILINE)
"""Labels within functions, which some linkers keep as symbols: of the compiler, and of the assembler."""
_FUNCTION = re.compile(r"^([0-9a-f]+) <([^>]+)>:$", re.MULTILINE)
_CALL = re.compile(
    r"\t(?:r?call|r?jmp|bl|b|b\.n|b\.w|jal|j|tail)\s[^<\n]*?(?:0x)?([0-9a-f]+) <[^>+]+>", re.MULTILINE
)
_INDIRECT = re.compile(r"\t(?:e?icall|e?ijmp|blx\s+r\d|jalr\s)")
_RETURNS = re.compile(r"\t(?:reti|mret)\b")
"""The return from an interrupt; the processor can then take the next one."""
_ADMITS = re.compile(r"\t(?:sei|csrsi?\s+mstatus\b)")
"""Lets interrupts in."""
_SUFFIX = re.compile(r"\.(part|constprop|isra|cold|lto_priv)\b.*")
HEAP = ("malloc", "calloc", "realloc", "_malloc_r", "_calloc_r", "_realloc_r")
RETURN_BYTES = 4
"""Bytes of a return address on the stack; fewer on most processors."""
RUNTIME_BYTES = 24
"""Minimum bytes assumed for a library function."""
MAIN = "main"
USERS = "controller"
"""Folder of the project with the user's files."""
USERS_MAIN = "controller_main"
"""Name of the user's main function in the program."""


class Reason(NamedTuple):
    """Why a stack has no bound."""

    text: str
    """Naming functions."""
    file: Path | None = None
    """The compiler's `.su` file with the function; None if it is not in the project."""
    line: int = 0
    column: int = 0


class StackBound(NamedTuple):
    """The result for a stack."""

    bytes: int | None
    """Maximum depth in bytes; None if there is no bound."""
    why: list[Reason]
    """Reasons for a missing bound."""


class _ProjectFunction(NamedTuple):
    """A function of the project, as reported by the compiler."""

    size: int
    """Bytes on the stack; the maximum of functions with the same name."""
    file: Path
    line: int
    column: int
    varies: bool
    shown: str
    """Its name for people."""


_USAGE = re.compile(
    r"(?P<place>.*?):(?P<line>\d+):(?P<column>\d+):(?P<name>[^\t]*)\t(?P<size>\d+)\t(?P<kind>.*)"
)
_CXX_MAIN = re.compile(r"int main\(.*\)")
_CXX = re.compile(r"[ (:]")
"""In the name of a function in C++, as the compiler reports it: result, scopes and parameters."""


class _Function(NamedTuple):
    name: str
    body: str
    calls: list[int]
    """Addresses of called functions."""


def stack_bound(
    disassembly: str,
    usage: Iterable[Path],
    interrupts: str,
    interrupt_stack: int,
    lines: Mapping[int, str] | None = None,
) -> StackBound:
    """Return the maximum stack depth in bytes.

    Args:
        disassembly: disassembly of the whole program by objdump -d.
        usage: the compiler's *.su files.
        interrupts: prefix of the names of interrupt functions.
        interrupt_stack: bytes that an interrupt pushes in addition to those of its function.
        lines: for programs with functions in C++, "name of the file:line" of addresses, which tells whose
            they are: the compiler reports the names of the source, and the disassembly those for the linker.
    """
    own = _usage(usage)
    functions = _functions(disassembly)
    for address, function in functions.items() if lines else ():
        place = lines.get(address, "") if lines else ""
        if place in own and _plain(function.name) not in own:
            functions[address] = function._replace(name=place)
    reasons = [
        (name, "has arrays of a size that varies") for name, value in sorted(own.items()) if value.varies
    ]
    reasons += [(_plain(function.name), "calls through a pointer") for function in _indirect(functions, own)]
    reasons += [(_plain(user.name), "uses the heap") for user in _users_of_heap(functions)]
    depths = _Depths(functions, own)
    entries = [address for address, function in functions.items() if function.name.startswith(interrupts)]
    start = next((address for address, function in functions.items() if function.name == MAIN), None)
    if start is None:
        return StackBound(None, [Reason("the program has no function main")])
    interrupt = max((depths.of(address) for address in entries), default=0)
    total = depths.of(start) + RETURN_BYTES + interrupt + (interrupt_stack if entries else 0)
    reasons += depths.circles
    reasons += [
        (functions[address].name, f"lets interrupts nest: {how}")
        for address, how in _nesting(functions, entries)
    ]
    why = [_reason(name, what, own) for name, what in reasons]
    return StackBound(None if why else total, why)


def source_of(usage: Path) -> Path:
    """Return the source that a `.su` file is about: robot.c for `robot.su`, robot.cpp for `robot.cpp.su`."""
    named = usage.with_suffix("")
    return named if named.suffix else named.with_suffix(".c")


def _reason(name: str, what: str, own: dict[str, _ProjectFunction]) -> Reason:
    function = own.get(name)
    shown = "main" if name == USERS_MAIN else name if function is None else function.shown
    return Reason(f"{shown} {what}", *((function.file, function.line, function.column) if function else ()))


def _nesting(functions: dict[int, _Function], entries: list[int]) -> Iterator[tuple[int, str]]:
    """Return interrupts that enable others before they have ended, and how."""
    for entry in entries:
        if _ADMITS.search(functions[entry].body):
            yield entry, "it enables interrupts"
        for called in sorted(_reached(functions, entry)):
            function = functions[called]
            if _RETURNS.search(function.body) or _ADMITS.search(function.body):
                yield entry, f"it calls {function.name}, which enables interrupts"


def _reached(functions: dict[int, _Function], start: int) -> set[int]:
    """Return all functions called directly or indirectly; includes itself only if it is recursive."""
    reached: set[int] = set()
    waiting = list(functions[start].calls)
    while waiting:
        address = waiting.pop()
        if address not in reached:
            reached.add(address)
            waiting += functions[address].calls
    return reached


class _Depths:
    """The depth of each function, computed from its calls."""

    def __init__(self, functions: dict[int, _Function], own: dict[str, _ProjectFunction]) -> None:
        self._functions, self._own = functions, own
        self._known: dict[int, int] = {}
        self._way: list[int] = []
        self.circles: list[tuple[str, str]] = []
        """Recursive functions of the project: the first one of each cycle, and a description."""

    def of(self, address: int) -> int:
        """Return the maximum bytes used by a function and its callees."""
        if address in self._known:
            return self._known[address]
        if address in self._way:
            self._note(self._way[self._way.index(address) :])
            return 0
        self._way.append(address)
        function = self._functions[address]
        deepest = max((self.of(called) + RETURN_BYTES for called in function.calls), default=0)
        self._way.pop()
        own = self._own.get(_plain(function.name))
        self._known[address] = (
            max(RUNTIME_BYTES, _pushed(function.body)) if own is None else own.size
        ) + deepest
        return self._known[address]

    def _note(self, circle: list[int]) -> None:
        names = [_plain(self._functions[address].name) for address in circle]
        if not all(name in self._own for name in names):
            return  # libraries have loops that look like calls
        said = names[0], "calls itself" + (f" by {', '.join(names[1:])}" if names[1:] else "")
        if said not in self.circles:
            self.circles.append(said)


def _indirect(functions: dict[int, _Function], own: dict[str, _ProjectFunction]) -> Iterator[_Function]:
    """Return functions of the project with calls through pointers."""
    return (
        function
        for function in functions.values()
        if _plain(function.name) in own and _INDIRECT.search(function.body)
    )


def _users_of_heap(functions: dict[int, _Function]) -> Iterator[_Function]:
    """Return functions that call heap functions but are not part of the heap."""
    heap = {address for address, function in functions.items() if function.name in HEAP}
    users = (function for function in functions.values() if heap & set(function.calls))
    return (user for user in users if user.name not in HEAP)


def _plain(name: str) -> str:
    """Return a function name without the compiler's suffixes for parts and clones."""
    return _SUFFIX.sub("", name)


def _usage(files: Iterable[Path]) -> dict[str, _ProjectFunction]:
    """Return the functions of the project by name."""
    own: dict[str, _ProjectFunction] = {}
    for file in sorted(files):
        is_users = file.parent.name == USERS
        for row in file.read_text(encoding="utf-8", errors="replace").splitlines():
            match = _USAGE.fullmatch(row)
            assert match is not None, row
            shown = _plain(match["name"])
            name = f"{Path(match['place']).name}:{match['line']}" if _CXX.search(shown) else shown
            if is_users and (name == MAIN or _CXX_MAIN.fullmatch(shown)):
                name = USERS_MAIN
            before = own.get(name)
            place = int(match["line"]), int(match["column"])
            function = _ProjectFunction(int(match["size"]), file, *place, match["kind"] == "dynamic", shown)
            if before is not None:
                function = max(before, function)._replace(varies=before.varies or function.varies)
            own[name] = function
    return own


_PUSHES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], int]], ...] = (
    (re.compile(r"\tpush\s+r\d+$", re.MULTILINE), lambda match: 1),
    (re.compile(r"\t(?:push|stmdb\s+sp!,|vpush)\s*\{([^}]*)\}"), lambda match: 4 * _listed(match[1])),
    (re.compile(r"\tsub(?:\.w)?\s+sp,(?: sp,)? #(\d+)"), lambda match: int(match[1])),
    (re.compile(r"\t(?:c\.)?addi(?:16sp)?\s+sp,(?:sp,)?-(\d+)"), lambda match: int(match[1])),
    (re.compile(r"\tsbiw\s+r28, 0x([0-9a-f]+)"), lambda match: int(match[1], 16)),
    (
        re.compile(r"\tsubi\s+r28, 0x([0-9a-f]+)[^\n]*\n[^\n]*\tsbci\s+r29, 0x([0-9a-f]+)"),
        lambda match: int(match[1], 16) + 256 * int(match[2], 16),
    ),
)
"""Stack instructions in AVR, ARM and RISC-V disassemblies, and their bytes."""


def _pushed(body: str) -> int:
    """Return the bytes that a function pushes; each instruction counts once, assuming no loops."""
    return sum(size(match) for pattern, size in _PUSHES for match in pattern.finditer(body))


def _listed(registers: str) -> int:
    """Return the number of registers in a list such as "r4-r7, lr"."""
    count = 0
    for part in registers.split(","):
        first, _, last = part.strip().lstrip("rsd").partition("-")
        count += int(last.lstrip("rsd")) - int(first) + 1 if last else 1
    return count


def _functions(disassembly: str) -> dict[int, _Function]:
    """Return all functions by address."""
    parts = _FUNCTION.split(_LOCAL.sub("", disassembly))
    bodies = {
        int(address, 16): (name, body)
        for address, name, body in zip(*(parts[k::3] for k in (1, 2, 3)), strict=True)
    }
    found = {}
    for address, (name, body) in bodies.items():
        called = {int(address, 16) for address in _CALL.findall(body)} & bodies.keys() - {address}
        calls = sorted(called | ({address} if _calls_itself(address, body) else set()))
        found[address] = _Function(name, body, calls)
    return found


def _calls_itself(address: int, body: str) -> bool:
    """Return True if a function calls, and does not only jump to, its own beginning."""
    return any(
        match[0].split()[0] in ("call", "rcall", "bl", "jal") and int(match[1], 16) == address
        for match in _CALL.finditer(body)
    )
