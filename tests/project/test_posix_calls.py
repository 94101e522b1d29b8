"""What Windows lacks is called only where it is asked for, or in places that stand in a list."""

import ast
import sys

import pytest

from scripts.house import PACKAGES, ROOT
from tests.project.posix_calls import calls_in, may_have_calls

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ALLOWED = tomllib.loads((ROOT / "tests" / "project" / "posix_calls.toml").read_text("utf-8"))


def places() -> dict[str, set[str]]:
    """The names in each file of the product that has some."""
    files = [file for folder in PACKAGES for file in sorted((ROOT / folder).rglob("*.py"))]
    texts = {file.relative_to(ROOT).as_posix(): file.read_text("utf-8") for file in files}
    calls = {name: calls_in(ast.parse(text)) for name, text in texts.items() if may_have_calls(text)}
    return {name: names for name, names in calls.items() if names}


def test_names_that_windows_lacks_stand_only_in_places_of_the_list():
    hits = places()
    allowed = tuple(place for files in ALLOWED.values() for place in files)
    assert {name: names for name, names in hits.items() if not name.startswith(allowed)} == {}
    assert [place for place in allowed if not any(name.startswith(place) for name in hits)] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import os\nos.fork()", {"os.fork"}),
        ("def f():\n  with x:\n    os.killpg(1, signal.SIGKILL)", {"os.killpg", "signal.SIGKILL"}),
        ("import fcntl", {"fcntl"}),
        ("def f():\n  from socket import AF_UNIX", {"socket.AF_UNIX"}),
        ("Popen(x, start_new_session=True)", {"start_new_session"}),
        ("open('/dev/shm/a')", {"/dev/shm/a"}),
        ("if sys.platform != 'win32':\n  os.fork()", set()),
        ("def f():\n  if sys.platform == 'win32':\n    return 1\n  os.fork()", set()),
        ("def f():\n  if sys.platform == 'win32':\n    a()\n  os.fork()", {"os.fork"}),
        ("x = os.getuid() if hasattr(os, 'getuid') else -1", set()),
        ("os.getpid()\nsignal.SIGINT", set()),
    ],
)
def test_names_are_seen(text: str, expected: set[str]):
    assert calls_in(ast.parse(text)) == expected
    assert may_have_calls(text) >= bool(expected)
