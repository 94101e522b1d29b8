"""Objects of earlier builds: what is built with them has the same bits, and what they depend on counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.firmware.conftest import WORLD, boards, require_board, two_wheels
from wbridge.wbfirmware.building import build as building
from wbridge.wbfirmware.building import kept_objects
from wbridge.wbfirmware.building.build import build
from wbridge.wbfirmware.building.kept_objects import KeptObjects
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbfirmware.tools import run

SAMPLES = {"samples = 1": "samples = 8"}
STANDALONE = {
    "format = 1": f'format = 1\ncontroller = "{WORLD.parents[1] / "controllers" / "two_wheels_avoider"}"',
    'flavor = "slave"': 'flavor = "standalone"',
}


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of kept objects, empty."""
    monkeypatch.setenv("WBRIDGE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "objects"


def project(folder: Path, board: str, name: str) -> Path:
    """Build the firmware of the sample robot in a folder of this name."""
    require_board(board)
    path = folder / f"{board}.toml"
    path.write_text(propose(two_wheels(), str(WORLD), board))
    return build(load_hardware(path, two_wheels()), folder / name).program


@pytest.mark.parametrize("board", boards("arduino-uno", "stm32f405"))
def test_a_build_from_kept_objects_has_the_same_bits(
    board: str, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Judge: a build without them."""
    first = project(tmp_path, board, "first")
    known = set(kept.iterdir())
    compiled: list[str] = []
    monkeypatch.setattr(building, "run", lambda *words: compiled.append(run(*words)) or compiled[-1])
    second = project(tmp_path, board, "second")
    assert not [one for one in compiled if " -c " in one]
    assert set(kept.iterdir()) == known
    monkeypatch.setattr(KeptObjects, "restore", lambda self: None)
    plain = project(tmp_path, board, "plain")
    assert first.read_bytes() == second.read_bytes() == plain.read_bytes()
    usages = [sorted(one.read_bytes() for one in path.parent.glob("*.su")) for path in (second, plain)]
    assert usages[0] == usages[1]


SOURCE = '#include "robot.h"\nint f(void) { return NUMBER; }\n'


def names(folder: Path, board: str = "host", has_controller: bool = False, **texts: str) -> list[str]:
    """The names of the objects that have to be compiled in a project with some files."""
    from wbridge.wbfirmware.boards.board import load_board

    folder.mkdir(exist_ok=True)
    for name, text in {"Makefile": "", "a_c": SOURCE, "robot_h": "#define NUMBER 1\n", **texts}.items():
        (folder / name.replace("_", ".")).write_text(text)
    objects = KeptObjects(folder, load_board(board).compiler, has_controller)
    objects.restore()
    return sorted(objects._missing.values())


def test_what_an_object_depends_on(kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    own = names(tmp_path / "own")
    assert own == names(tmp_path / "same", other_h="#define OTHER 2\n") and len(own) == 1
    assert own != names(tmp_path / "source", a_c=SOURCE + "\n")
    assert own != names(tmp_path / "header", robot_h="#define NUMBER 2\n")
    through = {"robot_h": '#include "b.h"\n'}
    assert names(tmp_path / "b1", **through, b_h="#define NUMBER 1\n") != names(
        tmp_path / "b2", **through, b_h="#define NUMBER 2\n"
    )
    monkeypatch.setattr(kept_objects, "_identity", lambda command: [("another", 1, 1)])
    assert own != names(tmp_path / "compiler")


CONSTANTS = """/* Of the robot. */
#define NUMBER 1
#define LINK_BUILD "a"

#define TWICE (2 * HALF)
#define HALF 3
"""


@pytest.mark.parametrize(
    ("before", "after", "header", "is_kept"),
    [
        ('"a"', '"b"', "", True),
        ("Of the", "Of another", "", True),
        ('#define LINK_BUILD "a"\n\n', "", "", True),
        ("NUMBER 1", "NUMBER 2", "", False),
        ('"a"', '"b"', "#ifdef LINK_BUILD\n#endif\n", False),
        ("HALF 3", "HALF 4", "", False),
        ('"a"', '"b"', "#define OF(x) LINK##x\nint OF(_BUILD);\n", False),
        ('"a"', '"b"', "#define OF(x) x##f\n", True),
        ('"a"', '"b"', "#define OF(x, y, z) x##y##z\nint OF(LINK, _, BUILD);\n", False),
        ('"a"', '"a" \\\n  "b"', "", True),
        ('"a"\n', '"a"\n#define OF(x) \\\n  SUM(x)\n', "", True),
        ('"a"\n', '"a"\nint g;\n', "", False),
        ('"a"\n', '"a"\n#ifdef __AVR__\n', "", False),
    ],
)
def test_only_constants_that_are_named_count(
    before: str, after: str, header: str, is_kept: bool, kept: Path, tmp_path: Path
):
    header = '#include "config.h"\n' + header
    own = names(tmp_path / "own", robot_h=header, config_h=CONSTANTS)
    assert before in CONSTANTS
    other = names(tmp_path / "other", robot_h=header, config_h=CONSTANTS.replace(before, after))
    assert (own == other) == is_kept and len(own) == len(other) == 1


@pytest.mark.parametrize(
    ("header", "is_kept"),
    [
        ("", True),
        ("#ifdef FIRMWARE\n#endif\n", False),
        ("#define OF(x) FIRM##x\n#if OF(WARE)\n#endif\n", False),
    ],
)
def test_what_the_command_defines_counts_where_it_is_named(
    header: str, is_kept: bool, kept: Path, tmp_path: Path
):
    own = names(tmp_path / "own", robot_h=header)
    other = names(tmp_path / "other", robot_h=header, has_controller=True)
    assert (own == other) == is_kept and len(own) == len(other) == 1


@pytest.mark.parametrize("edits", [SAMPLES, pytest.param(STANDALONE, marks=pytest.mark.slow)])
def test_projects_that_differ_little_share_most_objects(edits: dict[str, str], kept: Path, tmp_path: Path):
    """Judge: the objects of a build without them."""
    first = project(tmp_path, "arduino-uno", "first")
    known = {one.stem for one in kept.iterdir()}
    path = tmp_path / "arduino-uno.toml"
    text = path.read_text()
    for before, after in edits.items():
        assert before in text
        text = text.replace(before, after)
    path.write_text(text)
    second = build(load_hardware(path, two_wheels()), tmp_path / "second").program
    own = {one.name for one in second.parent.glob("*.o")} - {one.name for one in first.parent.glob("*.o")}
    new = {one.stem for one in kept.iterdir()} - known
    assert len(new) <= len(own) + 2, "the controller's objects are not kept; of the others two differ"
    bits = second.read_bytes()
    for one in second.parent.glob("*.o"):
        one.unlink()
    run(["make"], second.parent)
    assert second.read_bytes() == bits != first.read_bytes()


@pytest.mark.parametrize("line", ["#include HEADER", "#if __has_include(<math.h>)\n#endif"])
def test_what_cannot_be_known_before_compiling_is_compiled(line: str, kept: Path, tmp_path: Path):
    assert names(tmp_path / "own", a_c=f"{line}\n{SOURCE}") == []


def test_a_changed_source_is_not_taken_for_the_old_one(kept: Path, tmp_path: Path):
    names(tmp_path / "own")
    for suffix in ("o", "su"):
        (tmp_path / "own" / f"a.{suffix}").write_text("compiled")
    assert names(tmp_path / "own", a_c=SOURCE + "int g;\n")
    assert not (tmp_path / "own" / "a.o").exists()


@pytest.mark.slow
def test_old_objects_are_removed(kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(kept_objects, "MOST", 4)
    project(tmp_path, "host", "own")
    assert 4 < len(list(kept.iterdir())) < len(list((tmp_path / "own").glob("*.[os]*")))
