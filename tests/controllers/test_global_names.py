"""Programs with remembered names do what they do as Python compiles them."""

from __future__ import annotations

import builtins
import dis
import sys
import types
import warnings

import pytest

from wbridge.wbcore.controllers.global_names import compiled

EVERYTHING = '''"""All ways in which a name is set, read and deleted."""
from __future__ import annotations
import math, os.path as paths
from math import *
total: float = 0.0
unset: int
(low, *rest), high = (1, 2, 3), 4
low += 1
for number in range(3):
    total += number
squares = [number * number for number in rest if number < high]
nested = {a: [a + b for b in rest] for a in rest}
with open(__file__) as stream:
    size = len(stream.read(5))
try:
    missing
except NameError as problem:
    said = str(problem)
try:
    problem
except NameError:
    is_gone = True
if (walrus := high) > 3:
    del high
match {"a": 1, "b": 2}:
    case {"a": first, **others}:
        pass
class Robot:
    total = total
    low = 7
    def turn(self, low=low):
        global turns
        turns = low
        def inner():
            nonlocal low
            low += 1
            return low, total
        return inner()
def hide(total):
    low = total
    return lambda: (low, total)
if __debug__:
    here = locals() is globals()
exec("made = low")
result = Robot().turn(), hide(5)(), Robot.low, Robot.total, sqrt(4), paths.sep, made, __doc__, here
low = min = max(3, 4)
shadowed = min
global extra
extra = __name__, __annotations__
del min
restored = min(1, 2)
'''


def run(code: types.CodeType) -> dict[str, object]:
    """What a program leaves behind."""
    space: dict[str, object] = {"__name__": "__main__", "__file__": __file__, "__builtins__": builtins}
    exec(code, space)
    return {n: v for n, v in space.items() if n != "__builtins__" and type(v).__module__ == "builtins"}


def test_it_leaves_the_same_behind() -> None:
    """Judge: Python's own compilation."""
    expected = run(compile(EVERYTHING, "all.py", "exec", dont_inherit=True))
    result = run(compiled(EVERYTHING.encode(), "all.py"))
    for space in (expected, result):  # those of two runs are never equal
        for name in [
            name for name, value in space.items() if not isinstance(value, (int, float, str, tuple))
        ]:
            space[name] = repr(space[name]).partition(" at 0x")[0]
    assert result == expected


def test_names_are_remembered() -> None:
    code = compiled(EVERYTHING.encode(), "all.py")
    named = {one.argval for one in dis.get_instructions(code) if one.opname in ("LOAD_NAME", "STORE_NAME")}
    assert named <= {"__annotations__", "annotations"}


@pytest.mark.parametrize(
    "text", ["", '"""Only this."""', "# nothing", "from __future__ import division", "pass"]
)
def test_programs_without_names(text: str) -> None:
    assert run(compiled(text.encode(), "a.py")) == run(compile(text, "a.py", "exec", dont_inherit=True))


@pytest.mark.parametrize(
    "text",
    [
        "a = 1\nb = (",
        "return 1",
        "a = 1\nglobal a\n__debug__ = 2",
        "x = 'ä'\nbreak",
        "def f():\n  f = 1; global f",
    ],
)
def test_errors_are_those_of_python(text: str) -> None:
    """Judge: Python's own compilation."""
    with pytest.raises(SyntaxError) as expected:
        compile(text, "a.py", "exec", dont_inherit=True)
    with pytest.raises(SyntaxError) as given:
        compiled(text.encode(), "a.py")
    places = [
        (one.value.msg, one.value.lineno, one.value.offset, one.value.filename) for one in (expected, given)
    ]
    assert places[0] == places[1]


def test_encodings_and_lines_stay() -> None:
    text = (
        "# -*- coding: latin-1 -*-\nword = 'ä'\n\n\nline = __import__('sys')._getframe().f_lineno\n".encode(
            "latin-1"
        )
    )
    space = run(compiled(text, "a.py"))
    assert (space["word"], space["line"]) == ("ä", 5)


def test_a_warning_is_given_once() -> None:
    text = b"kept = 1 is 1\npath = '\\d'\n"
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        compiled(text, "a.py")
    with warnings.catch_warnings(record=True) as expected:
        warnings.simplefilter("always")
        compile(text, "a.py", "exec", dont_inherit=True)
    assert sorted(str(one.message) for one in given) == sorted(str(one.message) for one in expected)


def test_a_loop_outside_of_a_function_is_as_fast_as_in_one() -> None:
    """Its instructions, but for those that set names, are those of a function whose names are global."""
    body = "for i in range(3):\n    total = total + i\n"
    function = "def f():\n    global i, total, range\n    " + body.replace("\n", "\n    ")
    inner = next(one for one in compile(function, "a", "exec").co_consts if isinstance(one, types.CodeType))
    operations = [
        [one.opname for one in dis.get_instructions(code)] for code in (compiled(body.encode(), "a"), inner)
    ]
    assert operations[0] == operations[1], sys.version
