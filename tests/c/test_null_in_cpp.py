"""NULL for a pointer argument of a method in C++ is a message with the function's name, and never a crash.

The judge is each header: the methods and their pointer arguments are read from the classes. Texts are
references to std::string, which cannot be NULL.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.c.test_null import MESSAGE, spoken, spoken_in_scene
from tests.conftest import CHECKOUT
from wbridge.libcontroller.compiling import compile_controller

HERE = Path(__file__).parent
INCLUDE = CHECKOUT / "libcontroller" / "cpp" / "include"
CLASS = re.compile(r"^class (\w+)(?: : public (\w+))? \{\npublic:\n(.*?)^\};", re.M | re.S)
METHOD = re.compile(r"^  (static |virtual )?[\w:]+(?: [\w:]+)*[ *&]+(\w+)\(([^()]*)\)(?: const)?;", re.M)
OBJECTS = {"Node": "node", "Supervisor": "robot", "Robot": "robot"}
ALLOWED = {
    "Display::imageSave ir",
    "Node::disablePoseTracking fromNode",
    "Node::enablePoseTracking fromNode",
    "Node::getContactPoints size",
    "Node::getPose fromNode",
    "Robot::setMode arg",
    "Robot::windowCustomFunction arg",
    "Robot::wwiReceive size",
}
"""NULL has a meaning: the whole display, the world, no answer by this pointer."""


class Method(NamedTuple):
    """A method of a class with the types and names of its arguments."""

    owner: str
    name: str
    is_static: bool
    arguments: list[tuple[str, str]]


def headers() -> list[Path]:
    """The headers of classes; Sketch.hpp defines a program of its own."""
    return sorted(path for path in INCLUDE.glob("webots/**/*.hpp") if path.name != "Sketch.hpp")


def declared() -> list[Method]:
    """Each public method of the headers."""
    methods = []
    for header in headers():
        for owner, _, body in CLASS.findall(header.read_text()):
            public = re.split(r"^(?:private|protected):", body, flags=re.M)[0]
            for kind, name, arguments in METHOD.findall(public):
                split = [_argument(text) for text in arguments.split(",") if text.strip()]
                methods.append(Method(owner, name, kind == "static ", split))
    return methods


def _argument(text: str) -> tuple[str, str]:
    plain = text.partition(" = ")[0].strip()
    match = re.fullmatch(r"(.*?[ *&])(\w+)(\[\d+\])?", plain)
    if match is None or plain.endswith("char *"):
        return plain, "arg"
    return match[1].strip() + (" *" if match[3] else ""), match[2]


def _value(type_: str) -> str:
    if type_ in ("bool", "double", "int"):
        return "1"
    values = {
        "const double *": "doubles",
        "const int *": "numbers",
        "const std::string &": '"name"',
        "ImageRef *": "image",
        "Camera *": 'device<Camera>("camera")',
        "const Device *": 'device<Device>("camera")',
        "Speaker *": 'device<Speaker>("speaker")',
    }
    if type_.endswith("Node *"):
        return "node"
    return values.get(type_, "bytes" if "*" in type_ else f"static_cast<{type_}>(0)")


def _object(method: Method) -> str:
    if method.is_static:
        return f"{method.owner}::"
    if method.owner == "Field":
        kind = re.search(r"([SM]F)(\w+)", method.name)
        assert kind is not None
        return f'field("{kind[1]}_{kind[2]}")->'.lower()
    return OBJECTS.get(method.owner, f'device<{method.owner}>("{method.owner.lower()}")') + "->"


def calls() -> dict[str, str]:
    """The code of each call with one NULL, by method and argument."""
    code = {}
    for method in declared():
        for place, (type_, name) in enumerate(method.arguments):
            if not type_.endswith("*"):
                continue
            passed = [
                f"static_cast<{type_}>(nullptr)" if k == place else _value(other)
                for k, (other, _) in enumerate(method.arguments)
            ]
            call = f"{_object(method)}{method.name}({', '.join(passed)})".replace("<Mode>", "<Robot::Mode>")
            code[f"{method.owner}::{method.name} {name}"] = call
    return code


def _if_there(code: str) -> str:
    """The call, made only if its object is there: one world lacks nodes, the other some kinds of devices."""
    owner, arrow, _ = code.partition("->")
    return f"if ({owner}) {code}" if arrow else code


@pytest.fixture(scope="module")
def program(c_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("null") / "null_in_cpp"
    folder.mkdir()
    lines = [f'  begin("{name}");\n  {_if_there(code)};\n' for name, code in calls().items()]
    includes = "".join(f"#include <{path.relative_to(INCLUDE)}>\n" for path in headers())
    text = (HERE / "null_template.cpp").read_text()
    text = text.replace("/* includes */", includes).replace("/* calls */", "".join(lines))
    (folder / "null_in_cpp.cpp").write_text(text)
    program = compile_controller(folder)
    assert program is not None
    return program


def _says(lines: list[str]) -> bool:
    """Whether there is a message about NULL, which is the tag 0 if it stands for a device."""
    return any(map(MESSAGE.match, lines)) or any(
        "invalid device tag (0 is not a device)" in line for line in lines
    )


def test_null_is_a_message_for_each_pointer_of_each_method(program: Path, tmp_path: Path):
    devices, scene = spoken(program, "running"), spoken_in_scene(program, tmp_path)
    named = {" ".join(call) for call in devices}
    assert named == set(calls())
    assert len(named) > 40
    silent = {" ".join(call) for call in devices if not (_says(devices[call]) or _says(scene[call]))}
    assert silent == ALLOWED
