"""`wbridge run` builds controllers in C when their sources are newer than their programs."""

from __future__ import annotations

import errno
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT, require_tool
from wbridge.main import main
from wbridge.wbcore.controllers import instance

WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 }
Robot { name "robot" controller "counter" }
"""
SOURCE = """#include <stdio.h>
#include <webots/robot.h>
int main(void) {
  wb_robot_init();
  for (int i = 0; i < 3; i++)
    wb_robot_step(16);
  printf("%s at %g s\\n", "FIRST", wb_robot_get_time());
  wb_robot_cleanup();
  return 0;
}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    require_tool("cc", "controllers in C are built with it")
    (tmp_path / "worlds").mkdir()
    (tmp_path / "worlds" / "a.wbt").write_text(WORLD)
    (tmp_path / "controllers" / "counter").mkdir(parents=True)
    (tmp_path / "controllers" / "counter" / "counter.c").write_text(SOURCE)
    return tmp_path


def simulate(project: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "wbridge", "run", str(project / "worlds" / "a.wbt")]
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)


def test_a_controller_that_cannot_be_built_may_be_left_out(project: Path, capsys: pytest.CaptureFixture[str]):
    """The message names the option, which works as it stands in the message."""
    world = project / "worlds" / "a.wbt"
    world.write_text(WORLD.replace('"robot"', '"my robot"'))
    (project / "controllers" / "counter" / "counter.c").write_text("#include <windows.h>\n")
    command = ["run", str(world), "--steps", "1"]
    assert main(command) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == "To simulate without this controller: --controller 'my robot=<none>'"
    assert main([*command, *shlex.split(last.partition(": ")[2])]) == 0


def test_a_controller_is_built_once_and_again_when_its_source_changes(project: Path):
    first, second = simulate(project), simulate(project)
    assert "FIRST at 0.048 s" in first.stdout, first.stderr
    assert "building" in first.stderr
    assert "FIRST at 0.048 s" in second.stdout
    assert "building" not in second.stderr
    source = project / "controllers" / "counter" / "counter.c"
    source.write_text(SOURCE.replace("FIRST", "SECOND"))
    newer = (project / "controllers" / "counter" / "build" / "release" / "counter").stat().st_mtime + 10
    os.utime(source, (newer, newer))
    assert "SECOND at 0.048 s" in simulate(project).stdout


def test_a_controller_is_built_again_when_a_header_changes(project: Path):
    folder = project / "controllers" / "counter"
    (folder / "word.h").write_text('#define WORD "FIRST"\n')
    (folder / "counter.c").write_text('#include "word.h"\n' + SOURCE.replace("FIRST", '" WORD "'))
    assert "FIRST at 0.048 s" in simulate(project).stdout
    (folder / "word.h").write_text('#define WORD "SECOND"\n')
    newer = (folder / "build" / "release" / "counter").stat().st_mtime + 10
    os.utime(folder / "word.h", (newer, newer))
    assert "SECOND at 0.048 s" in simulate(project).stdout


def test_an_empty_python_file_is_no_reason_not_to_build(project: Path):
    (project / "controllers" / "counter" / "counter.py").touch()
    assert "FIRST at 0.048 s" in simulate(project).stdout


SPAWNING = """
from controller import Supervisor
boss = Supervisor()
children = boss.getRoot().getField("children")
children.importMFNodeFromString(-1, 'Robot { name "late" controller "counter" }')
children.importMFNodeFromString(-1, 'Robot { name "broken" controller "broken" }')
for _ in range(20):
    boss.step(16)
"""


def test_the_controller_of_a_robot_that_comes_later_is_built_then(project: Path):
    (project / "worlds" / "a.wbt").write_text(
        WORLD.replace('"counter"', '"spawning" supervisor TRUE'),
    )
    for name, text in (("spawning/spawning.py", SPAWNING), ("broken/broken.c", "int main(void) { no }")):
        (project / "controllers" / name).parent.mkdir()
        (project / "controllers" / name).write_text(text)
    done = simulate(project)
    assert "FIRST at " in done.stdout, done.stderr
    assert 'robot "broken" has no controller' in done.stderr and "broken.c:1:" in done.stderr


CLASSES = """#include <cstdio>
#include <webots/Supervisor.hpp>
int main() {
  webots::Supervisor robot;
  for (int i = 0; i < 3; i++)
    robot.step(16);
  std::printf("%s at %g s\\n", robot.getName().c_str(), robot.getTime());
  return 0;
}
"""


def test_a_controller_with_the_classes_of_cpp_is_built_and_runs(project: Path):
    require_tool("c++", "controllers in C++ are built with it")
    folder = project / "controllers" / "counter"
    (folder / "counter.c").rename(folder / "counter.cpp").write_text(CLASSES)
    done = simulate(project)
    assert "robot at 0.048 s" in done.stdout, done.stderr


def test_what_cannot_be_built_ends_the_command(project: Path):
    source = project / "controllers" / "counter" / "counter.c"
    source.write_text(SOURCE.replace("wb_robot_init();", "wb_robot_init() oops;"))
    done = simulate(project)
    assert done.returncode == 2
    assert "counter.c:4:18: error" in done.stderr


def built_elsewhere(project: Path, source: str, command: tuple[str, ...], libraries: tuple[str, ...]) -> Path:
    """A program as projects commit it: linked with libraries that it does not find by itself."""
    from wbridge.libcontroller.compiling import library_path, need_cxx_library

    need_cxx_library()
    library = library_path().parent
    home = library.parents[1] / "include" / "controller"
    folder = project / "controllers" / "counter"
    text = folder / f"old{'.c' if command[0] == 'cc' else '.cpp'}"
    text.write_text(source)
    program = folder / "counter"
    options = [f"-I{home / 'c'}", f"-I{home / 'cpp'}", "-o", str(program), str(text), f"-L{library}"]
    subprocess.run([*command, *options, *libraries, "-Wl,--unresolved-symbols=ignore-all"], check=True)
    text.unlink()
    return program


def test_a_program_in_c_that_was_built_elsewhere_finds_the_library(project: Path):
    built_elsewhere(project, SOURCE.replace("FIRST", "COMMITTED"), ("cc",), ("-lController",))
    (project / "controllers" / "counter" / "counter.c").unlink()
    done = simulate(project)
    assert "COMMITTED at 0.048 s" in done.stdout, done.stderr


def test_a_program_with_other_classes_of_cpp_is_built_again(project: Path):
    """The classes of Webots have another layout: a program that was built with them would crash."""
    require_tool("c++", "controllers in C++ are built with it")
    folder = project / "controllers" / "counter"
    program = built_elsewhere(project, CLASSES, ("c++",), ("-lCppController", "-lController"))
    (folder / "counter.c").unlink()
    done = simulate(project)
    assert done.returncode != 0
    assert "its sources are missing" in done.stderr
    (folder / "counter.cpp").write_text(CLASSES)
    os.utime(folder / "counter.cpp", (1, 1))
    done = simulate(project)
    assert "robot at 0.048 s" in done.stdout, done.stderr
    assert program.stat().st_mtime > 1


def test_a_changed_source_goes_before_the_program_beside_it(project: Path):
    program = built_elsewhere(project, SOURCE.replace("FIRST", "COMMITTED"), ("cc",), ("-lController",))
    os.utime(program, (1, 1))
    assert "FIRST at 0.048 s" in simulate(project).stdout


MAKEFILE = "include $(WEBOTS_HOME)/resources/Makefile.include\n"


@pytest.mark.parametrize("more", ["main.c", "CMakeLists.txt"])
def test_a_makefile_without_sources_says_so(project: Path, more: str):
    """Webots' Makefile.include takes NAME.c, .cpp or .cc where the Makefile names no sources."""
    require_tool("make", "the controller has a Makefile")
    folder = project / "controllers" / "counter"
    (folder / "counter.c").rename(folder / "main.c")
    (folder / "Makefile").write_text(MAKEFILE)
    (folder / more).touch()
    done = simulate(project)
    assert done.returncode == 2
    assert "there is no counter.c, counter.cpp or counter.cc" in done.stderr
    assert more in done.stderr.partition("there is no counter.c")[2]


def test_the_program_that_is_there_runs_where_a_makefile_has_no_sources(project: Path):
    require_tool("make", "the controller has a Makefile")
    folder = project / "controllers" / "counter"
    built_elsewhere(project, SOURCE.replace("FIRST", "COMMITTED"), ("cc",), ("-lController",))
    (folder / "counter.c").rename(folder / "main.c")
    os.utime(folder / "counter", (1, 1))
    (folder / "Makefile").write_text(MAKEFILE)
    done = simulate(project)
    assert "COMMITTED at 0.048 s" in done.stdout, done.stderr
    assert "was built elsewhere; it runs as it is" in done.stderr


@pytest.fixture
def read_only(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project, in whose folders nothing can be written (also where tests run as root)."""
    access = os.access

    def look(path: str | os.PathLike[str], mode: int) -> bool:
        is_in = Path(path).resolve().is_relative_to(project.resolve())
        return not (is_in and mode & os.W_OK) and access(path, mode)

    monkeypatch.setattr(os, "access", look)
    return project


@pytest.mark.parametrize("makefile", [False, True])
def test_in_a_read_only_project_the_program_is_kept_elsewhere(
    read_only: Path, capfd: pytest.CaptureFixture[str], makefile: bool
):
    folder = read_only / "controllers" / "counter"
    if makefile:
        (folder / "Makefile").write_text("counter:\n\tfalse\n")
    before = sorted(read_only.rglob("*"))
    assert main(["run", str(read_only / "worlds" / "a.wbt")]) == 0
    out, err = capfd.readouterr()
    assert "FIRST at 0.048 s" in out
    assert err.count("building") == 1
    assert f"{folder} is not writable by this user: the program is stored in " in err
    assert sorted(read_only.rglob("*")) == before


def test_the_cause_of_a_folder_that_cannot_be_made_is_named(
    project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", "/a/webots/ann")

    monkeypatch.setattr("wbridge.wbcore.controllers.instance._make", refuse)
    assert main(["run", str(project / "worlds" / "a.wbt")]) == 2
    last = capfd.readouterr().err.splitlines()[-1]
    assert last.endswith("controllers use to find the simulation: /a/webots/ann: Permission denied")


def test_users_without_a_name_do_not_share_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    """Containers often lack the variable USER; libraries then look for the user "default"."""
    monkeypatch.delenv("USER", raising=False)
    monkeypatch.delenv("USERNAME", raising=False)
    assert instance._own_folder(tmp_path) == tmp_path / "default"
    (tmp_path / "default").mkdir()
    assert instance._own_folder(tmp_path) == tmp_path / "default"
    monkeypatch.setattr(os, "getuid", lambda: 4242)
    assert instance._own_folder(tmp_path) == tmp_path / "default-4242"
    assert f"{tmp_path}/default belongs to another user" in caplog.text


def test_a_compiler_that_a_makefile_wants_and_nobody_installed_is_named(project: Path):
    require_tool("make", "the controller has a Makefile")
    (project / "controllers" / "counter" / "Makefile").write_text(f"CC = a-rare-compiler\n{MAKEFILE}")
    done = simulate(project)
    assert done.returncode == 2
    assert "Its Makefile requires a-rare-compiler, which is not installed." in done.stderr
