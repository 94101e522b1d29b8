"""Generate wbcore/engine/_engine.pyi: types and docstrings of the engine's extension module.

python scripts/generate_engine_stub.py            write the file
python scripts/generate_engine_stub.py --check    exit 1 and show the difference when it is out of date
"""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path

from nanobind.stubgen import StubGen

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.generated import write_or_compare  # noqa: E402

OUTPUT = ROOT / "wbcore" / "engine" / "_engine.pyi"
MARK = "# Made by scripts/generate_engine_stub.py from the compiled module; do not edit.\n\n"
WIDTH = 108

# Details that nanobind adds to arrays (layout, device) are useless for type checkers.
ANNOTATION = re.compile(r"Annotated\[(NDArray\[[\w.]+\]), dict\([^\]]*\)\]")

# Values of a build are no part of the interface.
VALUE = re.compile(r"^([A-Z_]+: \w+) = .*$", re.MULTILINE)

# An exception created with the Python C API has no attributes in the stub.
PLAIN_ERROR = "class PhysicsError(EngineError):\n    pass\n"
TYPED_ERROR = '''class PhysicsError(EngineError):
    """A step left bodies in an invalid state."""

    problems: list[
        tuple[int, str, tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]
    ]
    """(body id, what is wrong, position, linear velocity, angular velocity) of each"""
'''

# A method created with the Python C API, for speed, has no parameters in the stub.
PLAIN_METHOD = re.compile(r"^    (\w+): types\.MethodDescriptorType = \.\.\.$", re.MULTILINE)
SIGNATURES = {"step": "(self, count: int = 1) -> None"}

# Types created with the Python C API, for speed.
CELLS = '''class MotorCell:
    """A motor that a script drives. Derived classes carry out what is not common, in `_set_position`,
    `_set_velocity` and `_set_effort`."""

    position: float
    """Target position (rad or m). Setting it moves the motor there."""
    velocity: float
    """Target velocity (rad/s or m/s). Setting it turns the motor without end; position control uses it as
    speed."""
    effort: float
    """The force or torque of force control (N or N m); 0 outside of it."""
    wanted_speed: float
    """Of motions to a position (rad/s or m/s); NaN: the maximum."""

    def attach(self, motor: Motor, is_coupled: bool) -> None:
        """Sets the engine's motor, and whether it is coupled to others."""


class SensorCell:
    """A sensor that a script reads. Derived classes return several numbers from `_copy`."""

    @property
    def value(self) -> Any:
        """The newest sample: a number, or an array for several numbers."""

    def attach(self, numbers: NDArray[numpy.float64]) -> None:
        """Sets the memory of the numbers."""


def set_targets(motors: Sequence[MotorCell], numbers: NDArray[numpy.float64], command: int) -> None:
    """Sets a target of each motor: 0 position, 1 velocity, 2 force or torque."""


'''
PLAIN_NAMES = "MotorCell|SensorCell"
PLAIN_TYPES = re.compile(
    rf"^(class ({PLAIN_NAMES}):|def set_targets\(.*\):)\n.*?(?=^\S|\Z)", re.MULTILINE | re.DOTALL
)


def typed_method(found: re.Match[str]) -> str:
    """Return the stub of such a method, with its docstring."""
    from wbridge.wbcore.engine import _engine

    name = found[1]
    if name not in SIGNATURES:
        sys.exit(f"World.{name} is created with the Python C API; add its parameters to SIGNATURES")
    lines = str(getattr(_engine.World, name).__doc__).strip().splitlines()
    body = "\n".join(f"        {line.strip()}" for line in lines)
    return f'    def {name}{SIGNATURES[name]}:\n        """\n{body}\n        """'


def wrapped(line: str) -> str:
    """Wrap a docstring line; code is left to the formatter."""
    text = line.strip()
    is_code = text.startswith(("def ", "class ", "@", "from ", "import "))
    if len(line) <= WIDTH or is_code:
        return line
    indent = line[: len(line) - len(line.lstrip())]
    return "\n".join(textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent))


def formatted(text: str) -> str:
    """Return the text in the style of the project's formatter."""
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(OUTPUT), "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True, cwd=ROOT).stdout


def stub() -> str:
    """Return the stub of the installed module."""
    sys.path.insert(0, str(ROOT))
    from wbridge.wbcore.engine import _engine

    generator = StubGen(_engine)
    generator.put(_engine)
    text = generator.get()
    if PLAIN_ERROR not in text:
        sys.exit("the stub generator writes PhysicsError differently now; update PLAIN_ERROR")
    text = ANNOTATION.sub(r"\1", text.replace(PLAIN_ERROR, TYPED_ERROR))
    text = text.replace("import Annotated, ", "import ")
    text = VALUE.sub(r"\1", text)
    text = PLAIN_TYPES.sub("", text) + "\n\n" + CELLS
    text = PLAIN_METHOD.sub(typed_method, text).replace("import types\n", "")
    return formatted(MARK + "\n".join(wrapped(line) for line in text.splitlines()) + "\n")


def main() -> int:
    """Write the stub, or compare it."""
    return write_or_compare("Make the stub of the engine's extension module.", lambda: {OUTPUT: stub()})


if __name__ == "__main__":
    sys.exit(main())
