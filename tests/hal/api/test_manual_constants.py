"""Every constant that the manual lists exists: in C, C++, Java, Octave and Python.

manual_constants.json has the names that the manual of Webots 8.3.1 and the newer pages list: those of C (and
MATLAB) in texts and tables, and those of each class in the chapters of C++, Java and Python.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import controller
from tests.conftest import CHECKOUT
from wbridge.hal import api

LISTED = json.loads((Path(__file__).parent / "manual_constants.json").read_text(encoding="utf-8"))
LIBRARY = CHECKOUT / "libcontroller"
CLASSES = LIBRARY / "cpp" / "include" / "webots"


def words_of_class(name: str) -> set[str]:
    """The words in the declaration of a C++ class and of its base classes."""
    text = (CLASSES / f"{name}.hpp").read_text(encoding="utf-8")
    base = re.search(rf"^class {name} : public (\w+)", text, re.MULTILINE)
    return set(re.findall(r"\w+", text)) | (words_of_class(base[1]) if base else set())


def test_constants_of_c():
    text = "".join(one.read_text(encoding="utf-8") for one in (LIBRARY / "include").rglob("*.h"))
    declared = set(re.findall(r"^#define (WB_\w+) |^  (WB_\w+) = ", text, re.MULTILINE))
    assert set(LISTED["C"]) - {one for pair in declared for one in pair} == set()


def test_constants_of_octave():
    lines = (LIBRARY / "octave" / "constants.txt").read_text(encoding="utf-8").splitlines()
    assert set(LISTED["C"]) - {line.partition(" ")[0] for line in lines} == set()


def test_constants_of_functions_in_python():
    assert [one for one in LISTED["C"] if not isinstance(getattr(api, one, None), int)] == []


@pytest.mark.parametrize("name", LISTED["C++"])
def test_constants_of_classes_in_cpp(name: str):
    assert set(LISTED["C++"][name]) - words_of_class(name) == set()


@pytest.mark.parametrize("name", LISTED["Java"])
def test_constants_of_classes_in_java(name: str):
    text = (LIBRARY / "java" / "generated.i").read_text(encoding="utf-8")
    numbers = set(re.findall(r'^%javaconstvalue\("-?\d+"\) webots::\w+::(\w+);', text, re.MULTILINE))
    assert set(LISTED["Java"][name]) - (words_of_class(name) & numbers) == set()


@pytest.mark.parametrize("name", LISTED["Python"])
def test_constants_of_classes_in_python(name: str):
    found = getattr(controller, name)
    assert [one for one in LISTED["Python"][name] if not isinstance(getattr(found, one, None), int)] == []


def test_old_constants_have_their_values():
    """Webots 8: cameras are 'c', range-finders 'r'; the keys are those of Keyboard; lists are 16 above."""
    assert [chr(one) for one in (controller.Camera.COLOR, controller.Camera.RANGE_FINDER)] == ["c", "r"]
    assert controller.Robot.KEYBOARD_CONTROL == controller.Keyboard.CONTROL
    assert controller.Field.MF | controller.Field.SF_BOOL == controller.Field.MF_BOOL
    former = ("CAMERA_ZOOM", "DIFFERENTIAL_WHEELS", "EXTRUSION", "MOTOR", "SERVO", "SUPERVISOR", "SWITCH")
    numbers = [getattr(controller.Node, one) for one in former]
    others = {value for name, value in vars(controller.Node).items() if name.isupper() and name not in former}
    assert len(set(numbers)) == len(numbers)
    assert not others & set(numbers)
