"""Runs a controller in Python so that it can be paused at lines, while the simulation waits for its step.

This file runs in the controller's interpreter, which may have nothing but Python's own library. It stands in
front of the command line of the controller, and puts itself before the program there:

    python traced_program.py PYTHON [OPTION ...] PROGRAM.py [ARGUMENT ...]

It connects to the socket that an environment variable names. Messages are lines of JSON; see `Tracer`.
"""

from __future__ import annotations

import json
import os
import queue
import socket
import sys
import threading
from collections.abc import Iterator
from types import FrameType, ModuleType, TracebackType
from typing import Any

ADDRESS = "WBRIDGE_DEBUGGER"
"""The environment variable with the path of the simulator's socket."""
TRACED = "--traced"
MOST_VARIABLES, LONGEST_TEXT, MOST_FRAMES = 100, 200, 30


class Tracer:
    """Pauses the program at breakpoints, and step by step.

    It is told `{"breakpoints": {file: [line, ...]}}` and `{"do": COMMAND}`, one of `continue`, `over`,
    `into`, `out`, `pause`; it tells `{"paused": {...}}` and `{"running": true}`.
    """

    def __init__(self, connection: socket.socket, folder: str) -> None:
        """
        Args:
            connection: to the simulator.
            folder: of the program; only files in it are traced.
        """
        self._connection, self._folder = connection, folder + os.sep
        self._lines: dict[str, frozenset[int]] = {}
        self._commands: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._command, self._level = "continue", 0
        self._is_paused = False
        self._is_told = threading.Event()
        threading.Thread(target=self._listen, name="debugger", daemon=True).start()
        self._is_told.wait(5.0)  # the first breakpoints, before the first line

    def _listen(self) -> None:
        with self._connection.makefile("r", encoding="utf-8") as lines:
            for line in lines:
                message = json.loads(line)
                if "breakpoints" in message:
                    self._lines = {file: frozenset(at) for file, at in message["breakpoints"].items()}
                    self._is_told.set()
                elif self._is_paused:
                    self._commands.put(message["do"])
                elif message["do"] == "pause":
                    self._command = "into"
        self._is_told.set()
        self._lines, self._command = {}, "continue"  # the simulator has ended: the program goes on
        self._commands.put("continue")

    def trace_call(self, frame: FrameType, event: str, argument: object) -> Any:
        """Trace a function of the program's own files, see sys.settrace."""
        return self.trace_line if frame.f_code.co_filename.startswith(self._folder) else None

    def trace_line(self, frame: FrameType, event: str, argument: object) -> object:
        """Pause at a line, if that is wanted."""
        if event == "line" and self._stops_at(frame):
            self._pause(frame)
        return self.trace_line

    def _stops_at(self, frame: FrameType) -> bool:
        if self._command == "into" or frame.f_lineno in self._lines.get(frame.f_code.co_filename, ()):
            return True
        if self._command == "continue":
            return False
        return _level(frame) <= self._level - (self._command == "out")

    def _pause(self, frame: FrameType) -> None:
        self._is_paused = True
        self._tell({"paused": _seen(frame, self._folder)})
        self._command, self._level = self._commands.get(), _level(frame)
        self._is_paused = False
        self._tell({"running": True})

    def _tell(self, message: dict[str, object]) -> None:
        try:
            self._connection.sendall(json.dumps(message).encode() + b"\n")
        except OSError:
            self._commands.put("continue")


def _frames(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None and frame.f_code.co_filename != __file__:
        yield frame
        frame = frame.f_back


def _level(frame: FrameType) -> int:
    return sum(1 for _ in _frames(frame))


def _seen(frame: FrameType, folder: str) -> dict[str, Any]:
    """Describe where the program is, and its variables."""
    stack = [
        [one.f_code.co_name, os.path.relpath(one.f_code.co_filename, folder), one.f_lineno]
        for one in _frames(frame)
    ]
    names = [name for name in frame.f_locals if not name.startswith("__")]
    variables = [
        [name, _text(frame.f_locals[name])]
        for name in names
        if not isinstance(frame.f_locals[name], (ModuleType, type))
    ]
    return {
        "file": frame.f_code.co_filename,
        "line": frame.f_lineno,
        "stack": stack[:MOST_FRAMES],
        "variables": variables[:MOST_VARIABLES],
    }


def _text(value: object) -> str:
    """Return a value as a program would print it, on one line."""
    try:
        text = repr(value)
    except Exception as problem:  # of the program's own class
        text = f"<no text: {type(problem).__name__}>"
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"


def _show(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Print an error as without this file."""
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    sys.__excepthook__(kind, error.with_traceback(trace), trace)


def _run(program: str) -> None:
    """Run a program as `python PROGRAM` does."""
    sys.excepthook = _show
    module = ModuleType("__main__")
    module.__file__ = program
    sys.modules["__main__"] = module
    sys.path[0] = os.path.dirname(program)
    with open(program, "rb") as file:
        code = compile(file.read(), program, "exec")
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(os.environ.pop(ADDRESS))
    tracer = Tracer(connection, sys.path[0])
    threading.settrace(tracer.trace_call)
    sys.settrace(tracer.trace_call)
    exec(code, module.__dict__)


def main(arguments: list[str]) -> None:
    """Become the traced program, or put this file before the program."""
    if arguments[0] == TRACED:
        sys.argv = arguments[1:]
        _run(os.path.abspath(arguments[1]))
        return
    at = next((k for k, word in enumerate(arguments) if word.endswith(".py")), 1)
    os.execvp(arguments[0], [*arguments[:at], __file__, TRACED, *arguments[at:]])


if __name__ == "__main__":
    main(sys.argv[1:])
