"""The same calls of the API in each implementation: what they return, what they print, what they send."""

from __future__ import annotations

import json
import math
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tests.conftest import CHECKOUT
from wbridge.hal.protocol.loopback import Loopback
from wbridge.hal.protocol.packet import AnswerWriter
from wbridge.libcontroller.compiling import compile_controller

HERE = Path(__file__).parent
INCLUDE = CHECKOUT / "libcontroller" / "include"
PROTOTYPE = re.compile(r"^([A-Za-z][\w *]*?\*?)\b(wbu?_\w+)\(([^;()]*)\);", re.M)
PLACE = re.compile(r" \(caller\.py:\d+\)")
REFERENCES = {"WbNodeRef": "node", "WbFieldRef": "field", "WbProtoRef": "proto", "WbImageRef": "image"}
REFERENCES |= {"WbMotionRef": "motion"}
ENUMS = ("WbSimulationMode", "WbRobotMode", "WbUserInputEvent", "WbuCarWheelIndex", "WbuDriverControlMode")
ENUMS += ("WbuDriverIndicatorState", "WbuDriverWiperMode", "wbu_wipers_mode")
LENGTHS = {"quaternion": 4, "orientation": 9, "bone_orientation": 4, "pose": 16, "velocity": 6, "vec2f": 2}
LENGTHS |= {"rotation": 4, "contact_point": 3} | dict.fromkeys(
    "values roll_pitch_yaw speed_vector emitter_direction position bone_position center_of_mass vec3f "
    "color".split(),
    3,
)
"""How many numbers stand behind a pointer to double, by the end of the function's name."""


class Function(NamedTuple):
    """A function that can be called by the lines of a file."""

    name: str
    returns: str
    parameters: tuple[str, ...]

    @property
    def length(self) -> int:
        """Of the array that it returns; 0: unknown."""
        fitting = [one for one in LENGTHS if self.name.endswith(f"_{one}")]
        return LENGTHS[max(fitting, key=len)] if fitting else 0


def headers() -> list[Path]:
    """The headers whose functions are called."""
    more = ("utils/motion.h", "plugins/robot_window/default.h", "vehicle/car.h", "vehicle/driver.h")
    return [*sorted(INCLUDE.glob("webots/*.h")), *(INCLUDE / "webots" / name for name in more)]


def functions() -> dict[str, Function]:
    """All functions whose parameters and results are simple."""
    found = {}
    for header in headers():
        for returns, name, given in PROTOTYPE.findall(header.read_text()):
            parameters = tuple(
                re.sub(r"\b\w+(\[\d\])?$", r"\1", " ".join(one.split())).strip() for one in given.split(",")
            )
            one = Function(name, returns.strip(), parameters if given.strip() else ())
            offered = not name.startswith("wbu_default_robot_window_")
            if offered and all(map(_reader, one.parameters)) and _printer(one):
                found[name] = one
    return found


def _reader(type_: str) -> str:
    """The C expression for the next argument."""
    if type_ in REFERENCES:
        return f"next_{REFERENCES[type_]}()"
    if match := re.fullmatch(r"const double ?\[(\d)\]", type_):
        return f"next_doubles({match[1]})"
    plain = {
        "double": "next_double()",
        "const char *": "next_text()",
        "WbDeviceTag": "(WbDeviceTag)next_int()",
    }
    plain |= {"int": "next_int()", "bool": "next_int() != 0"}
    return plain.get(type_, f"({type_})next_int()" if type_ in ENUMS else "")


def _printer(function: Function) -> str:
    """The C statement that prints a result."""
    returns = function.returns
    if returns in REFERENCES:
        return f"print_{REFERENCES[returns]}"
    if returns == "const double *":
        return f"print_doubles({function.length}, " if function.length else ""
    plain = {"double": "print_double", "const char *": "print_text", "void": "print_nothing"}
    whole = ("int", "bool", "WbDeviceTag", "WbNodeType", "WbFieldType", "WbJointType", *ENUMS)
    return plain.get(returns, "print_int" if returns in whole or "Type" in returns else "")


def write_caller(folder: Path) -> Path:
    """The program that makes the calls in C."""
    place = folder / "caller"
    place.mkdir()
    (place / "caller.c").write_text(caller_source())
    program = compile_controller(place)
    assert program is not None
    return program


def caller_source() -> str:
    """The program's source."""
    lines = []
    for one in functions().values():
        # The order in which C evaluates arguments is not given: they are read one after the other.
        reads = "".join(
            f"{_declared(type_, f'a{k}')} = {_reader(type_)}; " for k, type_ in enumerate(one.parameters)
        )
        call = f"{one.name}({', '.join(f'a{k}' for k in range(len(one.parameters)))})"
        printer = _printer(one)
        done = f"{call}; print_nothing();" if one.returns == "void" else f"{printer}({call});"
        done = f"{printer}{call});" if printer.endswith(", ") else done
        lines.append(f'if (!strcmp(name, "{one.name}")) {{ {reads}{done} return; }}\n')
    includes = "".join(f"#include <{path.relative_to(INCLUDE)}>\n" for path in headers())
    text = (HERE / "caller_template.c").read_text()
    return text.replace("/* includes */", includes).replace("/* calls */", "".join(lines))


def _declared(type_: str, name: str) -> str:
    if match := re.fullmatch(r"const double ?\[\d\]", type_):
        return f"const double *{name}"
    return f"{type_} {name}" if match is None else ""


class Outcome(NamedTuple):
    """What became of some calls."""

    results: list[Any]
    said: list[str]
    requests: list[bytes]


class Implementation(NamedTuple):
    """An implementation of the API."""

    name: str
    command: Callable[[list[list[Any]], Path], list[str]]
    """The command that makes calls, each [function, kind of reference that it returns, *arguments]; it may
    write files into the folder."""

    @property
    def is_recorded(self) -> bool:
        """Whether its answers are the ones that are recorded."""
        return self.name == "python"

    def call(
        self, calls: list[list[Any]], folder: Path, world: Callable[[], Loopback], code: int = 0
    ) -> Outcome:
        """Make calls; `code` is the exit code that the program shall have."""
        return _parsed(run_against(self.command(calls, folder), world(), code))


def in_c(program: Path) -> Implementation:
    """The C library, whose calls are made by a program from `caller_source`."""

    def command(calls: list[list[Any]], folder: Path) -> list[str]:
        lines = ["\t".join(_word(one) for one in (name, *given)) for name, _, *given in calls]
        file = folder / "calls.txt"
        file.write_text("\n".join(lines) + "\n")
        return [str(program), str(file)]

    return Implementation("c", command)


def _by_binding(calls: list[list[Any]], folder: Path) -> list[str]:
    file = folder / "calls.json"
    file.write_text("\n".join(map(json.dumps, calls)) + "\n")
    return [sys.executable, str(HERE / "caller.py"), str(file)]


IN_PYTHON = Implementation("python", _by_binding)
"""The C library, called by controllers in Python."""


def _parsed(outcome: Outcome) -> Outcome:
    results = [_plain(json.loads(line, parse_int=float)) for line in outcome.results]
    return outcome._replace(results=results)


def _word(value: Any) -> str:
    if isinstance(value, dict):
        return str(*value.values())
    if isinstance(value, list):
        return " ".join(map(_word, value))
    return str(int(value)) if isinstance(value, bool) else str(value)


def run_against(command: list[str], world: Loopback, code: int = 0) -> Outcome:
    """Run a controller with a simulator without physics; the results are the lines that it prints."""
    packets: list[bytes] = []
    with tempfile.TemporaryDirectory() as folder:
        listener, place = _listen(Path(folder), world.tcp)
        with listener:
            thread = threading.Thread(target=_serve, args=(listener, world, packets))
            thread.start()
            lines, said = output(command, place, code)
            thread.join(10)
    return Outcome(lines, said, packets)


def run(command: list[str], place: dict[str, str]) -> tuple[list[Any], list[str]]:
    """What calls return and say; `place` is the environment in which the simulator is found."""
    lines, said = output(command, place)
    return [_plain(json.loads(line, parse_int=float)) for line in lines], said


def output(command: list[str], place: dict[str, str], code: int = 0) -> tuple[list[str], list[str]]:
    """The lines that a controller prints on stdout and stderr, without the places that Python tells."""
    environment = {"USER": "default", **os.environ, "PYTHONPATH": str(CHECKOUT), **place}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == code, done.stdout[-500:] + done.stderr[-3000:]
    return done.stdout.splitlines(), PLACE.sub("", done.stderr).splitlines()


def _listen(folder: Path, tcp: bool) -> tuple[socket.socket, dict[str, str]]:
    """A socket that waits for a controller, and the environment in which one finds it."""
    if tcp:
        listener = socket.create_server(("127.0.0.1", 0))
        return listener, {"WEBOTS_CONTROLLER_URL": f"tcp://127.0.0.1:{listener.getsockname()[1]}/robot"}
    place = folder / "ipc" / "robot"
    place.mkdir(parents=True)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(place / "intern"))
    listener.listen()
    return listener, {"WEBOTS_INSTANCE_PATH": f"{folder}/", "WEBOTS_ROBOT_NAME": "robot"}


def _plain(value: Any) -> Any:
    """NaN equals NaN, and True is 1."""
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, float) and math.isnan(value):
        return "nan"
    return float(value) if isinstance(value, bool) else value


def _serve(listener: socket.socket, world: Loopback, packets: list[bytes]) -> None:
    """Let a simulator without physics serve one controller."""
    connection, _ = listener.accept()
    with connection:
        if world.tcp:
            connection.recv(100)
            connection.sendall(b"CONNECTED")
        converse(connection, world, packets)


def converse(connection: socket.socket, world: Loopback, packets: list[bytes]) -> None:
    """Answer the requests of a controller, which are appended to `packets`, until it leaves."""
    while (packet := _packet(connection)) != b"":
        packets.append(packet)
        world.send(packet)
        if len(packet) == 4:
            return
        answer = world.answer()
        writer = AnswerWriter(answer.delay)
        writer.out += answer.data
        for image in answer.images:
            writer.image(*image)
        connection.sendall(writer.tcp() if world.tcp else writer.local())


def _packet(connection: socket.socket) -> bytes:
    head = _exactly(connection, 4)
    size = int.from_bytes(head, "little")
    return head + _exactly(connection, size - 4) if size else head


def _exactly(connection: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = connection.recv(size - len(data))
        if not more:
            return b""
        data += more
    return data
