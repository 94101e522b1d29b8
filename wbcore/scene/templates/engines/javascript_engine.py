"""Runs JavaScript templates, each in a new QuickJS runtime prepared by sandbox.js."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import _quickjs  # type: ignore[import-not-found]

_HERE = Path(__file__).parent
_USE = re.compile(r'(?:__)?use\("(\w+)"\)')

# Deep recursion raises an error well before the process' stack overflows.
_STACK_BYTES = 2_000_000


class Engine:
    """The engine of one worker; it reads all files when it is created."""

    def __init__(self) -> None:
        self.sandbox = (_HERE / "sandbox.js").read_text("utf-8")
        self.modules = {path.stem: path.read_text("utf-8") for path in (_HERE / "javascript").glob("*.js")}

    def run(self, request: dict[str, Any]) -> bytes:
        """Render one template; return the reply as JSON text.

        Raises:
            MemoryError: the template exceeds its memory limit.
        """
        program: str = request["program"]
        context = _quickjs.Context()
        context.set_memory_limit(request["memory"])
        context.set_max_stack_size(_STACK_BYTES)
        # Our own code comes after the program's lines, so that errors can be attributed.
        context.eval("\n" * program.count("\n") + "\n" + self._furniture(program))
        context.set_time_limit(request["seconds"])
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

    def _furniture(self, program: str) -> str:
        """Return the sandbox and the modules that the program uses, directly or indirectly."""
        wanted = _USE.findall(program)
        texts = {}
        while wanted:
            name = wanted.pop()
            if name in self.modules and name not in texts:
                texts[name] = self.modules[name]
                wanted += _USE.findall(texts[name])
        return "\n".join([self.sandbox, *texts.values()])


def _failure(problem: str) -> bytes:
    """Return a reply for a failure that the sandbox could not report."""
    if problem.startswith("InternalError: out of memory"):
        raise MemoryError
    late = problem.startswith("InternalError: interrupted")
    return json.dumps({"failed": problem, "late": late}).encode()
