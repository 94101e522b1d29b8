"""None for an argument of a Python function is a message where NULL is one in C.

The judge is the list of pointer arguments in the headers of the C API (tests/c/test_null.py).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable

import pytest

from tests.c.test_calls import PEERS, _key, world
from tests.c.test_null import ALLOWED, _type, calls, declared
from wbridge.hal import api
from wbridge.hal.client.native import NativeRobot
from wbridge.hal.protocol.fields import MF
from wbridge.hal.protocol.loopback import Loopback

Attach = Callable[[Loopback], NativeRobot]
KINDS = [kind for kind, *_ in PEERS]
CASES = [one for one in calls() if one[0] in api.__all__ and one not in ALLOWED]
TYPES = "bool int32 float vec2f vec3f rotation color string node".split()
MESSAGES = (
    "argument (None)",
    "that does not exist",
    "called with None",
    "called with NaN or None",
    "an image that does not belong",
)


def scene(function: str) -> Loopback:
    """A world with a node that is a PROTO, with a field of the type that the function needs."""
    short = function.removesuffix("_from_string").rpartition("_")[2]
    number = TYPES.index(short) + 1 if short in TYPES else 1
    is_list = "_mf_" in function
    made = world()()
    made.on["node_by_def"] = lambda *_: [("node_by_def", (4, 80, -1, 0, True, "Box"))]
    made.on["get_proto"] = lambda *_: [("proto", (0, False, 1, "Box"))]
    field = (0, number + MF * is_list, False, 3 if is_list else -1, -1, -1, "field")
    made.on["get_field"] = lambda *_: [("field", field)]
    return made


def value(function: str, type_: str, root: object) -> object:
    """A valid argument."""
    if type_ == "WbDeviceTag":
        own = [k for k, kind in enumerate(KINDS, 1) if function.startswith(f"wb_{_key(kind)}_")]
        return (own or [KINDS.index("Camera") + 1])[0]
    if type_ == "WbFieldRef":
        return api.wb_supervisor_node_get_field(root, "field")
    if type_ == "WbImageRef":
        return None  # the whole display
    if type_ == "WbProtoRef":
        return api.wb_supervisor_node_get_proto(root)
    plain = {"double": 0.5, "int": 1, "bool": True, "const char *": "a", "WbNodeRef": root}
    return plain.get(type_, [0.0] * 3 if "double" in type_ else [0] if type_ == "const int *" else b"abcd")


def python_arguments(function: str, name: str, root: object) -> list[object] | None:
    """The arguments with one None; None if the Python function lacks the parameter."""
    given = declared()[function]
    place = [one for one in calls() if one[0] == function].index((function, name))
    pointers = [k for k, one in enumerate(given) if "*" in _type(one) or "Ref" in one or "WbRadio" in one]
    count = len(inspect.signature(getattr(api, function)).parameters)
    made = [value(function, _type(one), root) for one in given]
    made[pointers[place]] = None
    return made[:count] if pointers[place] < count else None


@pytest.mark.parametrize(("function", "name"), CASES)
def test_none_is_a_message(attach: Attach, capsys: pytest.CaptureFixture[str], function: str, name: str):
    attach(scene(function))
    root = api.wb_supervisor_node_get_from_def("BOX")
    given = python_arguments(function, name, root)
    if given is None:
        return
    capsys.readouterr()
    getattr(api, function)(*given)
    said = capsys.readouterr().err
    assert any(one in said for one in MESSAGES), said
