"""Make wbcore/engine/_engine.pyi: types and texts of the engine's extension module, read from the module.

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

# What nanobind adds to arrays (layout, device) says nothing to a type checker.
ANNOTATION = re.compile(r"Annotated\[(NDArray\[[\w.]+\]), dict\([^\]]*\)\]")

# An exception made with Python's own means says nothing about its attributes.
PLAIN_ERROR = "class PhysicsError(EngineError):\n    pass\n"
TYPED_ERROR = '''class PhysicsError(EngineError):
    """A step left bodies in an impossible state."""

    problems: list[
        tuple[int, str, tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]
    ]
    """(body id, what is wrong, position, linear velocity, angular velocity) of each"""
'''

# A method made with Python's own means, for speed, says nothing about its parameters.
PLAIN_METHOD = re.compile(r"^    (\w+): types\.MethodDescriptorType = \.\.\.$", re.MULTILINE)
SIGNATURES = {"step": "(self, count: int = 1) -> None"}


def typed_method(found: re.Match[str]) -> str:
    """The stub of such a method, with the docstring that it has."""
    from wbcore.engine import _engine

    name = found[1]
    if name not in SIGNATURES:
        sys.exit(f"World.{name} is made with Python's own means; add its parameters to SIGNATURES")
    lines = str(getattr(_engine.World, name).__doc__).strip().splitlines()
    body = "\n".join(f"        {line.strip()}" for line in lines)
    return f'    def {name}{SIGNATURES[name]}:\n        """\n{body}\n        """'


def wrapped(line: str) -> str:
    """A line of a docstring, broken where it is too long; code is left to the formatter."""
    text = line.strip()
    is_code = text.startswith(("def ", "class ", "@", "from ", "import "))
    if len(line) <= WIDTH or is_code:
        return line
    indent = line[: len(line) - len(line.lstrip())]
    return "\n".join(textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent))


def formatted(text: str) -> str:
    """The text as the project's formatter writes it."""
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(OUTPUT), "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True, cwd=ROOT).stdout


def stub() -> str:
    """The stub of the module as it is installed."""
    sys.path.insert(0, str(ROOT))
    from wbcore.engine import _engine

    generator = StubGen(_engine)
    generator.put(_engine)
    text = generator.get()
    if PLAIN_ERROR not in text:
        sys.exit("the stub generator writes PhysicsError in another way now; mend PLAIN_ERROR")
    text = ANNOTATION.sub(r"\1", text.replace(PLAIN_ERROR, TYPED_ERROR))
    text = text.replace("import Annotated, overload", "import overload")
    text = PLAIN_METHOD.sub(typed_method, text).replace("import types\n", "")
    return formatted(MARK + "\n".join(wrapped(line) for line in text.splitlines()) + "\n")


def main() -> int:
    """Write the stub, or compare it."""
    return write_or_compare("Make the stub of the engine's extension module.", lambda: {OUTPUT: stub()})


if __name__ == "__main__":
    sys.exit(main())
