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
from wbridge.hal.modes.robot import RobotHandle
from wbridge.hal.modes.scene.field import Field
from wbridge.hal.modes.scene.proto import Proto
from wbridge.hal.protocol.fields import MF
from wbridge.hal.protocol.loopback import Loopback

Attach = Callable[[Loopback], RobotHandle]
KINDS = [kind for kind, *_ in PEERS]
CASES = [one for one in calls() if one[0] in api.__all__ and one not in ALLOWED]
TYPES = "bool int32 float vec2f vec3f rotation color string node".split()
MESSAGES = ("argument (None)", "that does not exist", "called with None", "an image that does not belong")


def value(function: str, type_: str, root: object) -> object:
    """A valid argument."""
    if type_ == "WbDeviceTag":
        own = [k for k, kind in enumerate(KINDS, 1) if function.startswith(f"wb_{_key(kind)}_")]
        return (own or [KINDS.index("Camera") + 1])[0]
    if type_ == "WbFieldRef":
        short = function.removesuffix("_from_string").rpartition("_")[2]
        number = TYPES.index(short) + 1 if short in TYPES else 1
        return Field(root, -1, 0, number + MF * ("_mf_" in function), "field", False, 3, False)  # type: ignore[arg-type]
    plain = {"double": 0.5, "int": 1, "bool": True, "const char *": "a", "WbNodeRef": root}
    plain |= {"WbProtoRef": Proto(root, 0, False, 1, "Box")}  # type: ignore[arg-type]
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
    attach(world()())
    root = api.wb_supervisor_node_get_root()
    root._is_proto = True
    given = python_arguments(function, name, root)
    if given is None:
        return
    capsys.readouterr()
    getattr(api, function)(*given)
    said = capsys.readouterr().err
    assert any(one in said for one in MESSAGES), said
