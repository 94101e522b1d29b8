"""Converts an engine's error report to one sentence with a line of the PROTO file."""

from __future__ import annotations

import re
import signal

from wbridge.wbcore.scene.templates.model import Limits, TemplateError
from wbridge.wbcore.scene.templates.program import Program

# A stack frame of the engine, with line and column if known.
_FRAME = re.compile(r"^\s*at .*?<input>(?::(\d+)(?::\d+)?)?\)?$", re.MULTILINE)
# A text beyond the engine's own limit would need more memory than any template may have.
_OUT_OF_MEMORY = ("InternalError: out of memory", "InternalError: string too long")
_LUA_PLACE = re.compile(r"^(?:error loading code: )?template:(\d+): ")
_LUA_OTHER_LINE = re.compile(r"\bat line (\d+)")
_GENERATED = re.compile(r"'__[te]'|'__wb'")


def failure(
    reply: dict[str, object], program: Program, limits: Limits, first_line: int
) -> TemplateError | None:
    """Return the error in a reply; None for success."""
    text = str(reply.get("failed", ""))
    line = reply.get("line")
    if not isinstance(line, int) or not line:
        line = _javascript_line(text, program)
        if line and reply.get("late"):
            line = program.after_text(line)
    if match := _LUA_PLACE.match(text):
        line = int(match[1])
    origin = program.origin(line) if line else 0
    place = origin + first_line - 1 if origin else None
    if reply.get("memory") or "not enough memory" in text or text.startswith(_OUT_OF_MEMORY):
        return TemplateError(
            f"the template needs more than the allowed {limits.memory_mb} MB of memory", place
        )
    if reply.get("over"):
        return TemplateError(
            f"the template writes more than the allowed {limits.output_chars} characters", place
        )
    if reply.get("late"):
        return TemplateError(
            f"the template took more than the allowed {limits.steps:,} steps; does a loop never end?", place
        )
    if "failed" not in reply:
        return None
    return TemplateError(_plain(text, program, first_line), place)


def too_late(limits: Limits) -> TemplateError:
    """Return the error of a template that exceeded its time limit within one step."""
    return TemplateError(
        f"the template ran longer than the allowed {limits.seconds:g} s; does a pattern never end?"
    )


def stopped(signal_number: int, limits: Limits) -> TemplateError:
    """Return the error of a template that crashed its engine."""
    if hasattr(signal, "SIGPROF") and signal_number == signal.SIGPROF:
        return too_late(limits)
    name = signal.Signals(signal_number).name if signal_number else "no signal"
    return TemplateError(f"the template made its engine stop ({name}): nesting or a pattern too deep for it?")


def _javascript_line(text: str, program: Program) -> int:
    """Return the innermost line of the template in a stack trace; later frames are our own modules."""
    lines = [int(match[1]) for match in _FRAME.finditer(text) if match[1]]
    return next((line for line in lines if line <= len(program.origins)), 0)


def _plain(text: str, program: Program, first_line: int) -> str:
    """Return the engine's message without stack, generated places and names of our functions."""
    text = _FRAME.sub("", text).strip().removesuffix("\nundefined") or "an error without a message"
    text = _LUA_PLACE.sub("", text.split("\nstack traceback:")[0])
    moved = first_line - 1
    text = _LUA_OTHER_LINE.sub(lambda match: f"at line {program.origin(int(match[1])) + moved}", text)
    return _GENERATED.sub("the end of the statement", text)
