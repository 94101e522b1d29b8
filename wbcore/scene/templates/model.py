"""Input and output of templates: limits, field values, the rendered text, errors."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Any


class TemplateError(Exception):
    """A template could not be rendered.

    `message` is one sentence in plain words, `line` and `column` the place in the PROTO file (both count from
    1, None if the engine does not report it).
    """

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        place = f"line {line}: " if line else ""
        super().__init__(place + message)
        self.message = message
        self.line = line
        self.column = column


@dataclass(frozen=True)
class Limits:
    """The resources of one rendering: steps of the program, megabytes of memory, characters of text.

    A step is an instruction in Lua, and a call or a repetition of a loop in JavaScript; steps are counted in
    blocks of 10,000. The same template takes the same steps on any machine. What engines do within one step,
    such as matching a pattern, has no such count: `seconds` of CPU time bound it.
    """

    steps: int = 500_000_000
    seconds: float = 30.0
    memory_mb: int = 256
    output_chars: int = 20_000_000


@dataclass(frozen=True)
class FieldPair:
    """A field as templates see it: its current value and the interface's default.

    Both are plain data (table 5.1 of the reference manual): bool, int, float, str, None for a NULL node,
    {"x", "y"}, {"x", "y", "z"}, {"x", "y", "z", "a"} and {"r", "g", "b"} for vectors, rotations and colors,
    {"node_name": str, "fields": {name: FieldPair}} for a node, a list of these for MF fields.
    """

    value: Any
    default: Any


@dataclass(frozen=True)
class Rendered:
    """The text that a template generated.

    `output` and `errors_output` are the lines the template printed (print, console.log; io.stderr,
    console.error). `spans` are the stretches of generated text with a known origin: (first generated line,
    its line in the PROTO file, 1 if the following lines correspond one by one or 0 if all come from that
    line).
    """

    text: str
    output: tuple[str, ...]
    errors_output: tuple[str, ...]
    spans: tuple[tuple[int, int, int], ...]

    def line_of(self, line: int) -> int:
        """Return the line of the PROTO file that generated line `line` (from 1) of the text."""
        at = bisect_right(self.spans, line, key=lambda span: span[0])
        first, origin, slope = self.spans[max(at - 1, 0)]
        return origin + slope * max(line - first, 0)
