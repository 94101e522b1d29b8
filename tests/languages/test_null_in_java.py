"""null for an argument in Java is an exception or a message, and never ends the program.

The judge is the library itself: reflection lists the public methods and constructors of its classes, with
each argument that can be null.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import require_tool
from tests.languages.running import simulate
from wbridge.libcontroller.java_building import need_java_library

pytestmark = pytest.mark.languages

WORLD = Path(__file__).parents[1] / "peers" / "all_devices.wbt"
CONTROLLER = Path(__file__).with_name("null_template.java")


ALLOWED = {"Display.imageSave", "Node.getPose", "Node.enablePoseTracking", "Node.disablePoseTracking"}
"""null has a meaning: the whole display, the world."""
MESSAGE = re.compile(r"Error: wb\w+\(\) called ")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    require_tool("javac", "controllers in Java are compiled with it")
    require_tool("swig", "the library for Java is generated with it")
    need_java_library()  # not within the time limit of a run
    folder = tmp_path / "controllers" / "nulls"
    folder.mkdir(parents=True)
    (folder / "nulls.java").write_text(CONTROLLER.read_text())
    (tmp_path / "worlds").mkdir()
    text = WORLD.read_text()
    assert text.count('controller "<extern>"') == 1
    (tmp_path / "worlds" / "a.wbt").write_text(text.replace("<extern>", "nulls"))
    return tmp_path


def _calls(said: str) -> list[tuple[str, list[str]]]:
    """The name of each call with the lines that it said."""
    calls: list[tuple[str, list[str]]] = []
    for line in said.partition("@end")[0].splitlines():
        if line.startswith("@"):
            calls.append((line[1:].split()[0], []))
        elif calls:
            calls[-1][1].append(line)
    return calls


def _says(name: str, line: str) -> bool:
    """Whether a line is a message of the library, or an exception with the method among its frames."""
    method = name.partition(".")[2]
    frames = line.split()
    return bool(MESSAGE.match(line)) or "java.lang.NullPointerException:" in frames and method in frames


def test_null_is_a_message_for_each_argument_of_each_method(project: Path):
    done = simulate(project, "--duration", "1")
    assert "@end\n" in done.stderr, done.stderr
    calls = _calls(done.stderr)
    assert len(calls) > 100
    assert {name for name, lines in calls if not any(_says(name, line) for line in lines)} == ALLOWED
