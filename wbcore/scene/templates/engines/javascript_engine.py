"""Runs JavaScript templates, each in a new QuickJS runtime prepared by sandbox.js."""

from __future__ import annotations

import ctypes
import json
import re
from pathlib import Path
from typing import Any

import _quickjs  # type: ignore[import-not-found]

_HERE = Path(__file__).parent
_USE = re.compile(r'(?:__)?use\("(\w+)"\)')

# Our own code starts at this line, after those of most programs, so that errors can be attributed.
_OWN_LINE = 5_000

# Deep recursion raises an error well before the process' stack overflows.
_STACK_BYTES = 2_000_000


# Calls and repetitions between two calls of the interrupt handler (JS_INTERRUPT_COUNTER_INIT in quickjs.c).
_BLOCK = 10_000

_HANDLER = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


class Steps:
    """Counts the steps of a context, and interrupts it beyond a limit.

    The package quickjs-ng offers only a limit of time, which depends on the machine. Its library has the
    function for an interrupt handler of one's own; its objects begin with the pointers to their runtime and
    context. On Windows the library hides its functions: there the limit of time stands alone.
    """

    def __init__(self) -> None:
        self._left = 0
        self._handler = _HANDLER(self._count)
        self._library = ctypes.PyDLL(_quickjs.__file__)
        self._counts = hasattr(self._library, "JS_GetRuntime")
        if self._counts:
            self._library.JS_GetRuntime.restype = ctypes.c_void_p

    def limit(self, context: Any, steps: int, seconds: float) -> None:
        """Interrupt a context after some steps from now on, or after some time where steps cannot be counted.

        Raises:
            RuntimeError: the package is not the version that is required.
        """
        if not self._counts:
            context.set_time_limit(seconds)
            return
        runtime, inner = (ctypes.c_void_p * 2).from_address(id(context) + object.__basicsize__)
        if self._library.JS_GetRuntime(ctypes.c_void_p(inner)) != runtime:
            raise RuntimeError("steps cannot be counted in this version of the package quickjs-ng")
        self._left = steps
        self._library.JS_SetInterruptHandler(ctypes.c_void_p(runtime), self._handler, None)

    def _count(self, runtime: int, opaque: int) -> bool:
        self._left -= _BLOCK
        return self._left < 0


class Engine:
    """The engine of one worker; it reads all files when it is created."""

    def __init__(self) -> None:
        self.sandbox = (_HERE / "sandbox.js").read_text("utf-8")
        self.modules = {path.stem: path.read_text("utf-8") for path in (_HERE / "javascript").glob("*.js")}
        self._ready: Any = None
        self._steps = Steps()

    def run(self, request: dict[str, Any]) -> bytes:
        """Render one template; return the reply as JSON text.

        Raises:
            MemoryError: the template exceeds its memory limit.
        """
        program: str = request["program"]
        lines = program.count("\n")
        context, self._ready = self._ready, None
        if context is None or lines >= _OWN_LINE:
            context = self._context(max(lines + 1, _OWN_LINE))
        context.set_memory_limit(request["memory"])
        if modules := self._modules_of(program):
            context.eval("\n" * max(lines + 1, _OWN_LINE) + modules)
        self._steps.limit(context, request["steps"], request["seconds"])
        call = f", function () {{ {request['data']} }}, {request['seed'] + 1}, {request['clock'] * 1000}"
        try:
            reply = context.eval(f"{program}{call}, {request['chars']})")
        except _quickjs.JSException as error:
            return _failure(str(error))
        except UnicodeDecodeError:
            return _failure("the text is not valid Unicode")
        if not isinstance(reply, str):
            return _failure("SyntaxError: a brace is closed that was not opened")
        return reply.encode("utf-8", "replace")

    def prepare(self) -> None:
        """Create the runtime of the next template, while its request is still being made."""
        try:
            self._ready = self._context(_OWN_LINE)
        except (MemoryError, _quickjs.JSException):
            self._ready = None  # it is created with the request, which reports the problem

    def _context(self, line: int) -> Any:
        """Return a new runtime with the sandbox, whose code starts after this many lines."""
        context = _quickjs.Context()
        context.set_max_stack_size(_STACK_BYTES)
        context.eval("\n" * line + self.sandbox)
        return context

    def _modules_of(self, program: str) -> str:
        """Return the modules that a program uses, directly or indirectly."""
        wanted = _USE.findall(program)
        texts: dict[str, str] = {}
        while wanted:
            name = wanted.pop()
            if name in self.modules and name not in texts:
                texts[name] = self.modules[name]
                wanted += _USE.findall(texts[name])
        return '"use strict";' + "\n".join(texts.values()) if texts else ""


def _failure(problem: str) -> bytes:
    """Return a reply for a failure that the sandbox could not report."""
    # Where memory is too short even for an error, the engine throws null, which has no stack.
    if problem.startswith(("InternalError: out of memory", "null\n")):
        raise MemoryError
    late = problem.startswith("InternalError: interrupted")
    return json.dumps({"failed": problem, "late": late}).encode()
