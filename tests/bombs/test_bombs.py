"""What a stranger's world can ask for is bounded: memory, by the kernel's count, and no crash.

Judge: setrlimit(2) (RLIMIT_AS ends what asks for more than 4 GiB), getrusage(2) (ru_maxrss).
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts.generate_limits_doc import NATIVE, NUMBERS, native_value, value_of
from tests.bombs.bombs import BOMBS, Bomb, explode
from tests.scene.helpers import HEADER
from wbridge.wbcore.scene.checks import checked
from wbridge.wbcore.scene.limits import FIELDS, FieldBound
from wbridge.wbcore.scene.load import load_text

MOST_MB = 1000.0
"""Peak memory of a run with a bomb."""
SLOW = re.compile(
    "dae_(?!entities)|large_world|obj_|stl_|cad_|spot_shadows|doubling_proto|many_numbers|long_string|lookup_table|template"
    # One of each kind is enough for `make test`.
    "|elevation_grid$|shape_(?!subdivision)|hdr|jpeg|bmp|gif|glb|basic_time_step_(?!1e-300|nan|0)"
)


@pytest.mark.parametrize(
    "bomb",
    [
        pytest.param(bomb, id=bomb.name, marks=[pytest.mark.slow] * bool(SLOW.match(bomb.name)))
        for bomb in BOMBS
    ],
)
def test_a_bomb_needs_bounded_memory_and_ends_in_words(bomb: Bomb, tmp_path: Path):
    blast = explode(bomb, tmp_path)
    assert "Traceback" not in blast.text, blast.text[-1500:]
    assert blast.code in (0, 1, 2), blast.text[-1500:]
    assert blast.peak_mb < MOST_MB
    assert "\x1b" not in blast.text and "\x07" not in blast.text


def errors(bound: FieldBound, value: str) -> list[str]:
    """The errors of a world in which a field has a value."""
    fields = f"{bound.field} {value}"
    node = f"WorldInfo {{ {fields} }}" if bound.type == "WorldInfo" else f"{bound.type} {{ {fields} }}"
    world = f"{HEADER}{node if bound.type in ('WorldInfo', 'Solid') else f'Robot {{ children [ {node} ] }}'}"
    return [found.message for found in checked(load_text(world)).report.errors]


def spelled(bound: FieldBound, value: float) -> str:
    """A value of the field: a vector's first component."""
    text = repr(value) if bound.unit != "pixels" else str(int(value))
    return f"{text} 0 0" if bound.field.endswith("Velocity") else text


@pytest.mark.parametrize("bound", FIELDS, ids=lambda bound: f"{bound.type}.{bound.field}")
def test_each_bound_of_a_field_holds(bound: FieldBound):
    for allowed in (bound.high, max(bound.low, 1 if bound.unit == "pixels" else bound.low)):
        assert errors(bound, spelled(bound, allowed)) == []
    beyond = [bound.high * 2, 2**31 - 1 if bound.unit == "pixels" else 1e300]
    if bound.unit != "pixels":
        beyond += [1e-300] if bound.low > 0 else [-1e300, bound.low * 2]
    for value in beyond:
        (message,) = errors(bound, spelled(bound, value))
        assert f"{bound.type}.{bound.field} is " in message and "; allowed: " in message


def test_each_number_is_bounded():
    """A misspelled or removed constant, or one without a bound, is found."""
    for bound in NUMBERS:
        assert 0 < value_of(bound) < 2**40, bound
    assert len({(bound.module, bound.name) for bound in NUMBERS}) == len(NUMBERS)


def test_each_number_of_the_library_for_c_is_bounded():
    assert all(0 < native_value(bound) < 2**40 for bound in NATIVE)
    assert len({(bound.file, bound.name) for bound in NATIVE}) == len(NATIVE)
