"""Finding controllers: where, which kind first, and what is said when there is none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.controllers.project import Project, robot
from wbridge.wbcore.controllers.program_types import CannotStart, program_types
from wbridge.wbcore.controllers.runtime_ini import RuntimeIni
from wbridge.wbcore.controllers.search import controller_folders, find_program
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.tables.device_tables import robots


def write(path: Path, text: str = "", executable: bool = False) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755 if executable else 0o644)
    return path


@pytest.mark.parametrize(
    ("files", "found"),
    [
        (["c/c.py"], "c.py"),
        (["c/c.py", "c/c.m", "c/c.bsg"], "c.py"),
        (["c/c.py", "c/c.jar"], "c.jar"),
        (["c/c.jar", "c/c.class"], "c.class"),
        (["c/c.class", "c/build/release/c"], "build/release/c"),
        (["c/build/release/c", "c/c"], "c"),
    ],
)
def test_the_first_kind_wins(tmp_path: Path, files: list[str], found: str):
    for one in files:
        write(tmp_path / one, executable="." not in Path(one).name)
    program = find_program("c", [tmp_path])
    assert program.file == tmp_path / "c" / found
    assert program.folder == tmp_path / "c"


def test_the_first_folder_wins(tmp_path: Path):
    write(tmp_path / "second" / "c" / "c.py")
    assert find_program("c", [tmp_path / "first", tmp_path / "second"]).file.parts[-3] == "second"
    write(tmp_path / "first" / "c" / "c.py")
    assert find_program("c", [tmp_path / "first", tmp_path / "second"]).file.parts[-3] == "first"


def test_a_path_names_a_file_or_a_folder(tmp_path: Path):
    file = write(tmp_path / "c" / "other.py")
    write(tmp_path / "c" / "c.py")
    assert find_program(str(file), []).file == file
    assert find_program(str(tmp_path / "c"), []).file == tmp_path / "c" / "c.py"


def test_the_project_comes_before_what_is_built_in(project: Project):
    project.write(robot("a", "c"))
    world = load_world(project.world)
    first, *_, last = controller_folders(world, next(robots(world.nodes)))
    assert first == project.folder / "controllers"
    assert last.name == "controllers"
    assert (last.parent / "protos").is_dir()


def test_the_project_of_a_model_is_searched(project: Project, tmp_path: Path):
    model = tmp_path / "models" / "protos" / "Mine.proto"
    write(model, '#VRML_SIM R2023b utf8\nPROTO Mine [ ] { Robot { controller "c" } }\n')
    project.write("Mine { }", header=f'#VRML_SIM R2023b utf8\nEXTERNPROTO "{model}"\n')
    world = load_world(project.world)
    assert tmp_path / "models" / "controllers" in controller_folders(world, next(robots(world.nodes)))


@pytest.mark.parametrize(
    ("file", "name", "said"),
    [
        (
            "braitenberg/braitenberg.py",
            "braitenburg",
            "not found; searched: .*/braitenburg; did you mean 'braitenberg'?",
        ),
        ("c/c.c", "c", r"c\.c is not compiled; build it with: gcc .*-lController"),
        ("c/c.cpp", "c", r"build it with: g\+\+ .*-lCppController"),
        ("c/c.java", "c", "build it with: javac"),
        ("c/c", "c", "is not executable; run: chmod"),
        ("c/main.py", "c", r"has none of c, c\.py, .*it has main\.py"),
    ],
)
def test_what_is_missing_is_said(tmp_path: Path, file: str, name: str, said: str):
    write(tmp_path / file)
    with pytest.raises(CannotStart, match=said):
        find_program(name, [tmp_path])


def test_a_source_without_a_folder_of_its_name_gets_one(tmp_path: Path):
    """As a public project keeps it, vrs_controller.cpp beside the world: wbridge builds folders."""
    write(tmp_path / "drive.cpp")
    with pytest.raises(CannotStart, match="drive.cpp is not compiled; move it to .*/drive/, where wbridge"):
        find_program(str(tmp_path / "drive.cpp"), [])


@pytest.mark.parametrize("place", ["controllers/wander.py", "wander.py", "code/wander.c"])
def test_a_file_in_the_wrong_folder_is_named(tmp_path: Path, place: str):
    """Public projects keep it beside the folder of controllers, or in it without its own folder."""
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).write_text("")
    (tmp_path / "wander.txt").write_text("")
    folder = tmp_path / "controllers"
    with pytest.raises(CannotStart) as raised:
        find_program("wander", [folder, tmp_path / "bundled"])
    hint = f"; {tmp_path / place} has this name: move it to {folder / 'wander'}/"
    assert str(raised.value).endswith(hint)


def test_a_makefile_builds(tmp_path: Path):
    write(tmp_path / "c" / "c.c")
    write(tmp_path / "c" / "Makefile")
    with pytest.raises(CannotStart, match=f"make -C {tmp_path}/c"):
        find_program("c", [tmp_path])


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("c/c.m", "needs GNU Octave, which is not installed .*apt install octave"),
        ("c/c.bsg", "BotStudio controllers are not supported"),
    ],
)
def test_kinds_that_cannot_run_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, said: str):
    write(tmp_path / file)
    program = find_program("c", [tmp_path])
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CannotStart, match=said):
        program.type.command(program, RuntimeIni(tmp_path / "runtime.ini"), {})


def test_java_needs_java_and_the_library(tmp_path: Path):
    write(tmp_path / "c" / "c.class")
    java = write(tmp_path / "java", executable=True)
    ini = RuntimeIni(tmp_path / "runtime.ini", f"[java]\nCOMMAND = {java}\nOPTIONS = -Xmx1g\n")
    ini.apply({})
    program = find_program("c", [tmp_path])
    with pytest.raises(CannotStart, match="set WEBOTS_HOME"):
        program.type.command(program, ini, {})
    library = write(tmp_path / "home" / "lib" / "controller" / "java" / "Controller.jar")
    environment = {"WEBOTS_HOME": str(tmp_path / "home"), "CLASSPATH": "/more.jar"}
    classes = os.pathsep.join([str(library), str(tmp_path / "c"), "/more.jar"])  # a semicolon on Windows
    assert program.type.command(program, ini, environment) == [
        *(str(java), "-Xmx1g", "-classpath", classes),
        *(f"-Djava.library.path={library.parent}", "c"),
    ]


def test_kinds_are_ordered_and_distinct():
    orders = [one.ORDER for one in program_types()]
    assert orders == sorted(set(orders))
