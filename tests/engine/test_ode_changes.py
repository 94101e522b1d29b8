"""Changes of ODE's sources in a build: each finds its place once, and a second call changes nothing."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from tests.conftest import absent

PROGRAM = runpy.run_path(str(Path(__file__).parents[2] / "wbcore" / "engine" / "ode" / "change_sources.py"))
CHANGES = [PROGRAM["Change"]("a.cpp", "old(1);", "new(1);"), PROGRAM["Change"]("a.cpp", "old(2);", "new(2);")]
change = PROGRAM["change"]


def test_each_place_changes_once(tmp_path: Path):
    file = tmp_path / "a.cpp"
    file.write_bytes(b"old(1);\r\nold(2);\r\n// \xe9\r\n")
    change(tmp_path, CHANGES)
    after = file.read_bytes()
    assert after == b"new(1);\nnew(2);\n// \xe9\n"
    stamp = file.stat().st_mtime_ns
    change(tmp_path, CHANGES)
    assert (file.read_bytes(), file.stat().st_mtime_ns) == (after, stamp)  # nothing is compiled again


@pytest.mark.parametrize("text", ["other();", "old(1); old(1);"])
def test_another_source_ends_the_build_with_its_name_and_the_text(tmp_path: Path, text: str):
    (tmp_path / "a.cpp").write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit, match=r"a\.cpp: this text is expected once, to be changed:\nold\(1\);"):
        change(tmp_path, CHANGES)


def test_the_solver_and_the_trees_of_this_build_are_changed():
    places = sorted(Path(__file__).parents[2].glob("build/*/wbcore/engine/ode/ode-*/ode/src/quickstep.cpp"))
    if not places:
        absent("the folder of the engine's build is needed; run: make build")
    assert "__builtin_prefetch" in places[0].read_text("latin-1")
