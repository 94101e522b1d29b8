"""NULL for a pointer argument is a message with the function's name, and never a crash.

The judge is each header: the list of functions and of their pointer arguments is read from the prototypes.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.c.calling import INCLUDE, output, run_against
from tests.c.test_calls import PEERS, _key, world
from tests.peers.serving import serve
from wbridge.libcontroller.compiling import compile_controller
from wbridge.wbcore.simulation import Simulation

HERE = Path(__file__).parent
WORLD = HERE.parent / "peers" / "all_devices.wbt"
DECLARED = re.compile(
    r"^(?:static inline )?([A-Za-z][\w *]*?[ *])(wbu?r?_\w+)\(((?:[^;{}])*?)\)(?:;| \{)", re.M
)
UNLINKED = ("wbu_default_robot_window_", "wbu_generic_robot_window_", "wbr_init", "wbr_cleanup")
"""Functions that are not in the library, or that plugins define."""
MESSAGE = re.compile(
    r"Error: (wb\w+)\(\) called "
    r"(with an invalid '\w+' argument \(NULL\)|for a \w+ that does not exist|with NaN or NULL)"
)
POINTERS = ("Ref", "WbRadioMessage", "WbRadioEvent")
ALLOWED = {
    ("wb_display_image_save", "ir"),
    ("wb_radio_message_delete", "0"),
    ("wb_radio_set_callback", "1"),
    ("wb_remote_control_custom_function", "0"),
    ("wb_robot_set_mode", "arg"),
    ("wb_robot_task_new", "param"),
    ("wb_robot_window_custom_function", "arg"),
    ("wb_robot_wwi_receive", "size"),
    ("wb_speaker_stop", "sound"),
    ("wb_supervisor_node_disable_pose_tracking", "from_node"),
    ("wb_supervisor_node_enable_pose_tracking", "from_node"),
    ("wb_supervisor_node_get_contact_points", "size"),
    ("wb_supervisor_node_get_pose", "from_node"),
    ("wb_supervisor_save_world", "filename"),
    ("wb_supervisor_world_save", "filename"),
}
"""NULL has a meaning: the whole display, all sounds, the world, no answer by this pointer."""
VALUES = {
    "double": "0.5",
    "bool": "true",
    "WbNodeRef": "node",
    "WbProtoRef": "proto",
    "WbImageRef": "image",
    "WbMotionRef": "motion",
}


@cache
def declared() -> dict[str, list[str]]:
    """Each function of the headers with its parameters."""
    found = {}
    for header in sorted(INCLUDE.glob("webots/**/*.h")):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
        for _, name, given in DECLARED.findall(text):
            if not name.startswith(UNLINKED):
                found[name] = _parameters(given)
    return found


def _parameters(text: str) -> list[str]:
    plain = re.sub(r"\(\*(\w*)\)\([^)]*\)", r"*\1", " ".join(text.split()))
    return [one.strip() for one in plain.split(",") if one.strip() not in ("", "void")]


def _type(parameter: str) -> str:
    """The type without the parameter's name."""
    words = parameter.replace("*", " * ").replace("[", " [").split()
    has_name = len(words) > 1 and words[-1] not in ("*", "char", "WbRadioEvent", "WbRadioMessage")
    if words[-1].startswith("["):
        return " ".join((*words[:-2], "*"))
    return " ".join(words[:-1] if has_name else words)


def _name(parameter: str, place: int) -> str:
    name = re.search(r"(\w+)(?:\[\d\])?$", parameter)
    known = name is not None and name[1] not in ("void", "WbRadioEvent", "WbRadioMessage")
    return name[1] if name is not None and known else str(place)


def is_pointer(parameter: str) -> bool:
    """Whether NULL can be passed."""
    return "*" in _type(parameter) or _type(parameter).endswith(POINTERS)


def kind_of_field(function: str) -> str:
    """The type of the fields that a function is for, such as sf_vec3f; "" if any will do."""
    kind = re.search(r"_([sm]f_[a-z0-9]+)(?:_from_string)?$", function)
    return kind[1] if kind else ""


def _value(function: str, parameter: str) -> str:
    type_ = _type(parameter)
    if type_ == "WbFieldRef":
        return f'field("{kind_of_field(function) or "sf_string"}")'
    if type_ == "WbDeviceTag":
        own = [kind.lower() for kind, *_ in PEERS if function.startswith(f"wb_{_key(kind)}_")]
        own += ["rotationalmotor"] * function.startswith("wb_motor_")
        return f'wb_robot_get_device("{(own or ["camera"])[0]}")'
    if type_ in VALUES:
        return VALUES[type_]
    if parameter.endswith("*task"):
        return "nothing"
    if "*" in type_:
        plain = {"double": "doubles", "int": "numbers", "char * *": "&text"}
        key = type_.removeprefix("const ").removesuffix(" *") if type_.count("*") == 1 else type_
        return f"(void *){plain.get(key, 'bytes')}"
    return f"({type_})0" if type_.startswith("Wb") and not type_.endswith(POINTERS) else "1"


@cache
def calls() -> dict[tuple[str, str], str]:
    """The C code of each call with one NULL, by function and parameter."""
    made = {}
    for function, parameters in declared().items():
        for place, one in enumerate(parameters):
            if not is_pointer(one):
                continue
            given = ["NULL" if k == place else _value(function, p) for k, p in enumerate(parameters)]
            made[function, _name(one, place)] = f"{function}({', '.join(given)});"
    return made


@pytest.fixture(scope="module")
def program(c_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(calls(), tmp_path_factory.mktemp("null"))


def compiled(calls: dict[tuple[str, str], str], parent: Path) -> Path:
    """The program that makes the calls in C, each with a line on stderr before it, "@function argument"."""
    folder = parent / "null"
    folder.mkdir()
    lines = [
        f'  if (begin("{function} {name}")) {{ {code} end(); }}\n' for (function, name), code in calls.items()
    ]
    headers = sorted(INCLUDE.glob("webots/**/*.h"))
    includes = "".join(f"#include <{one.relative_to(INCLUDE)}>\n" for one in headers)
    text = (HERE / "null_template.c").read_text()
    text = text.replace("/* includes */", includes).replace("/* calls */", "".join(lines))
    (folder / "null.c").write_text(text)
    program = compile_controller(folder)
    assert program is not None
    return program


def parts(said: list[str]) -> dict[tuple[str, str], list[str]]:
    """What each call said."""
    found: dict[tuple[str, str], list[str]] = {}
    for line in said:
        if line.startswith("@"):
            function, _, name = line[1:].partition(" ")
            found[function, name] = []
        elif found:
            found[function, name].append(line)
    return found


def spoken(program: Path, phase: str) -> dict[tuple[str, str], list[str]]:
    """What each call says with a simulator that knows all kinds of devices but no nodes."""
    outcome = run_against([str(program), phase], world()())
    return parts(outcome.said)


def _fields() -> str:
    """A PROTO with a field of each type, by its name."""
    values = {"bool": "TRUE", "int32": "1", "float": "1", "vec2f": "1 1", "vec3f": "1 1 1", "string": '"a"'}
    values |= {"rotation": "0 0 1 0", "color": "1 1 1", "node": "Group { }"}
    lines = "".join(
        f"  field SF{kind.capitalize()} sf_{kind} {value}\n"
        f"  field MF{kind.capitalize()} mf_{kind} [ {value} {value} ]\n"
        for kind, value in values.items()
    )
    return f"#VRML_SIM R2025a utf8\nPROTO Fields [\n{lines}]\n{{\n  Group {{\n  }}\n}}\n"


def spoken_in_scene(program: Path, tmp_path: Path) -> dict[tuple[str, str], list[str]]:
    """What each call says in a simulation with nodes, fields of all types and a PROTO."""
    head, _, body = WORLD.read_text().partition("\n")
    (tmp_path / "Fields.proto").write_text(_fields())
    place = tmp_path / "null.wbt"
    place.write_text(f'{head}\nEXTERNPROTO "Fields.proto"\n{body}\nDEF FIELDS Fields {{ }}\n')
    with serve(Simulation(place), "R2025a") as port:
        _, said = output([str(program), "running"], {"WEBOTS_CONTROLLER_URL": f"ipc://{port}/robot"})
    return parts(said)


def says(function: str, lines: list[str]) -> bool:
    """Whether there is a message about NULL, and it names the function that was called."""
    return any((match := MESSAGE.match(line)) and match[1] == function for line in lines)


def test_null_is_a_message_for_each_pointer_of_each_function(program: Path, tmp_path: Path):
    devices, scene = spoken(program, "running"), spoken_in_scene(program, tmp_path)
    assert len(devices) > 200
    assert set(devices) == set(scene) == set(calls())
    # Without nodes, each function about nodes has something to say: the simulation is the judge there.
    near = {one: [] if one[0].startswith("wb_supervisor_") else devices[one] for one in devices}
    silent = {one for one in devices if not (says(one[0], near[one]) or says(one[0], scene[one]))}
    assert silent == ALLOWED


@pytest.mark.parametrize("phase", ["before", "after"])
def test_null_never_crashes_outside_of_a_running_controller(program: Path, phase: str):
    if phase == "before":
        _, said = output([str(program), phase], {})
        calls_said = parts(said)
    else:
        calls_said = spoken(program, phase)
    assert set(calls_said) == set(calls())
    assert {one for one, lines in calls_said.items() if any("signal" in line for line in lines)} == set()
