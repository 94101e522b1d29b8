"""What does not fit on a board with MicroPython is told before it is copied."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.firmware.test_micropython import machine_map, sample_map
from wbridge.main import main
from wbridge.wbfirmware.building.micropython.compact import compact, narrow
from wbridge.wbfirmware.template_folders import templates_path

TEXT = '''"""About."""
import x  # why

KEPT = """two
# lines

"""
"""About KEPT."""


class Empty:
    """About."""


# A comment.
def one(two):
    """About.

    More."""
    return "# three", {"four": two}


def other():
    # nothing
    """About."""
'''
SHORT = '''import x  # why
KEPT = """two
# lines

"""
class Empty:
    pass
def one(two):
    return "# three", {"four": two}
def other():
    pass
'''

NARROW = '''import x  # why
KEPT = """two
# lines

"""
class Empty:
 pass
def one(two):
 return "# three", {"four": two}
def other():
 pass
'''
UNEVEN = '''if x:
  if y:
        z = f"""a
    {z}
      b"""
  elif w:
    z = """
  c
"""
    y = [
      1, """
        d""",
          2]
if z:
\tx = 1
\tif w:
\t  x = 2
\telse:
\t  x = \\
    3
'''


def test_a_compact_text_has_no_docstrings_and_comments():
    assert compact(TEXT) == SHORT
    assert compact("def (") == "def ("


def test_a_narrow_text_has_a_space_for_each_level():
    assert narrow(SHORT) == NARROW
    assert narrow("def (") == "def ("
    assert narrow("def one():\n  return 1\n two\n") == "def one():\n  return 1\n two\n"


def test_a_narrow_text_keeps_uneven_levels_and_its_strings():
    assert len(narrow(UNEVEN)) < len(UNEVEN)
    assert ast.dump(ast.parse(narrow(UNEVEN))) == ast.dump(ast.parse(UNEVEN))


def test_all_templates_do_the_same_when_they_are_compact():
    for file in templates_path().glob("*/**/*.py"):
        text = file.read_text(encoding="utf-8")
        assert _without_texts(ast.parse(narrow(compact(text)))) == _without_texts(ast.parse(text)), file


def _without_texts(tree: ast.Module) -> str:
    for one in ast.walk(tree):
        body = getattr(one, "body", None)
        if isinstance(body, list):
            body[:] = [
                each
                for each in body
                if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
                and not isinstance(each, ast.Pass)
            ]
    return ast.dump(tree)


@pytest.mark.parametrize(
    ("board", "lines", "said"),
    [
        ("nucleo-f411re-micropython", 8000, "bytes, and Nucleo-F411RE with MicroPython has 57344"),
        pytest.param(
            "esp32-micropython",
            14000,
            "bytes of memory, and ESP32 with MicroPython has 110000",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_too_many_bytes(
    board: str, lines: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "long.py").write_text("from controller import Robot\n" + "x = 1\n" * lines)
    map_file = sample_map(tmp_path, board, tmp_path / "long.py")
    assert main(["-q", "firmware", "build", str(map_file)]) == 1
    assert said in capsys.readouterr().err
    assert not (tmp_path / "firmware" / "main.py").exists()


def test_a_robot_of_many_drivers_fits_on_a_nucleo(tmp_path: Path):
    assert main(["-q", "firmware", "build", str(machine_map(tmp_path, "nucleo-f411re-micropython"))]) == 0
