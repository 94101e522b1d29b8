"""What a controller gets: arguments, variables, folder, interpreter."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from tests.controllers.project import Project, robot, steps
from wbridge.running import building
from wbridge.wbcore.controllers.environment import LIBRARY_PATHS, arguments_of
from wbridge.wbcore.controllers.program_types import executable
from wbridge.wbcore.controllers.runtime_ini import LONGEST_VALUE, MOST_BYTES, RuntimeIni, read_runtime_ini
from wbridge.wbcore.controllers.webots_home import link_package, put_library
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.scene.tables.device_tables import robots

LIBRARIES = LIBRARY_PATHS.get(sys.platform, "LD_LIBRARY_PATH")
TELL = """
import json, os, sys
from controller import Robot
robot = Robot()
told = {"argv": sys.argv, "cwd": os.getcwd(), "python": sys.executable, "stdin": sys.stdin.read()}
print(json.dumps({**told, "environment": {**os.environ}}))
robot.step(16)
"""


@pytest.mark.parametrize(
    ("header", "field", "expected"),
    [
        ("R2023b", '["one" "two three"]', ["one", "two three"]),
        ("R2023b", '"one two"', ["one two"]),
        ("R2023b", "[]", []),
        ("R2019a", '"one  two"', ["one", "two"]),
        ("R2019a", r'"a \"b c\" d"', ["a", "b c", "d"]),
        ("V8.3.1", '""', []),
        ("V8.3.1", r'"x=\"1 2\" \"\""', ["x=1 2", ""]),
    ],
)
def test_arguments(header: str, field: str, expected: list[str]):
    world = load_text(f"#VRML_SIM {header} utf8\nRobot {{ controllerArgs {field} }}")
    assert world.report.errors == []
    assert arguments_of(next(robots(world.nodes))) == expected


def test_a_python_controller_starts_in_its_folder(project: Project):
    project.write(robot("my robot", "tells", 'controllerArgs ["a b" "c"]'), tells=TELL)
    told = json.loads(project.printed())
    folder = project.folder / "controllers" / "tells"
    assert told["argv"] == [str(folder / "tells.py"), "a b", "c"]
    assert told["cwd"] == str(folder)
    assert told["python"] == sys.executable
    assert told["stdin"] == ""
    assert told["environment"]["WEBOTS_ROBOT_NAME"] == "my robot"
    assert told["environment"]["WEBOTS_PROJECT"] == str(project.folder)
    if sys.platform != "win32":  # where controllers connect over TCP
        assert told["environment"]["WEBOTS_INSTANCE_PATH"].endswith("/")


def test_runtime_ini_sets_the_environment_and_the_interpreter(project: Project):
    project.write(robot("a", "tells"), tells=TELL)
    ini = """
        ; a comment
        [environment variables with paths]
        WEBOTS_LIBRARY_PATH = lib:$(NOT_SET):../../library
        [environment variables]
        URL = http://localhost:11311 ; a comment
        QUOTED = "a;b"
        TWICE = $(URL)/$(URL)
        [environment variables for Windows]
        QUOTED = "c;d"
        [python]
        OPTIONS = -X utf8 -W error
    """
    project.file("tells", "runtime.ini", dedent(ini))
    environment = json.loads(project.printed())["environment"]
    paths = "lib:../../library".replace(":", os.pathsep).replace("/", os.sep)
    assert environment["WEBOTS_LIBRARY_PATH"] == paths
    assert environment[LIBRARIES].startswith(paths + os.pathsep)
    assert environment["URL"] == "http://localhost:11311"
    assert environment["QUOTED"] == ("c;d" if sys.platform == "win32" else "a;b")
    assert environment["TWICE"] == "http://localhost:11311/http://localhost:11311"


@pytest.mark.parametrize(
    ("platform", "variable", "paths"),
    [
        ("linux", "linux", "lib:C:/a:../b:/c"),
        ("darwin", "macos", "lib:C:/a:../b:/c"),
        ("win32", "windows", r"lib;C:\a;..\b;\c"),
    ],
)
def test_runtime_ini_has_sections_for_systems(platform: str, variable: str, paths: str, tmp_path: Path):
    """User guide, Environment Variables: those of other systems have no effect; on Windows, colons and
    slashes become semicolons and backslashes."""
    text = "[environment variables with paths]\nP = lib:C:/a:../b:/c\n"
    for system in ("windows", "macOS", "Linux"):
        text += f"[environment variables for {system}]\nSYSTEM = {system}\n"
    ini = RuntimeIni(tmp_path / "runtime.ini", text, platform)
    environment: dict[str, str] = {}
    ini.apply(environment)
    assert ini.problems == []
    assert (environment["SYSTEM"].lower(), environment["P"]) == (variable, paths)


@pytest.mark.parametrize(
    ("platform", "words"),
    [
        ("linux", ["run", "C:Python 3python.exe", "a b", "-q"]),
        ("win32", ["run", "C:\\Python 3\\python.exe", "a b", "-q"]),
    ],
)
def test_runtime_ini_names_programs_as_the_system_does(platform: str, words: list[str], tmp_path: Path):
    """A backslash quotes a character in a shell of POSIX, and separates folders on Windows."""
    program = r"'C:\Python 3\python.exe'" if platform == "win32" else r"C:\Python\ 3\python.exe"
    text = f"[python]\nCOMMAND = run {program} 'a b'\nOPTIONS = -q\n"
    ini = RuntimeIni(tmp_path / "runtime.ini", text, platform)
    ini.apply({})
    assert ini.command("python", ["other"]) == words


def test_a_package_can_stand_in_for_another(tmp_path: Path):
    """Judge: Python, which finds the other one's modules and objects in its place."""
    real, place = tmp_path / "there" / "pack", tmp_path / "here" / "pack"
    real.mkdir(parents=True)
    place.parent.mkdir()
    (real / "__init__.py").write_text("from .part import VALUE\n")
    (real / "part.py").write_text("VALUE = 7\n")
    link_package(place, real, "win32")
    link_package(place, real, "win32")
    code = f"import sys; sys.path.insert(0, {str(place.parent)!r}); import pack.part; "
    code += "print(pack.VALUE, pack.part.VALUE, pack.__file__)"
    said = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert said.split(maxsplit=2) == ["7", "7", f"{real / '__init__.py'}\n"]


def test_the_library_of_controllers_is_replaced_by_a_newer_one(tmp_path: Path):
    library, folder = tmp_path / "Controller.dll", tmp_path / "home"
    folder.mkdir()
    for content in (b"old", b"new", b"new"):
        library.write_bytes(content)
        put_library(library, folder)
        assert [file.name for file in folder.iterdir()] == [library.name]
        assert (folder / library.name).read_bytes() == content


def test_windows_runs_programs_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Judge: the names that Webots' makefiles give programs there."""
    monkeypatch.setattr(executable, "PROGRAM_SUFFIX", ".exe")
    monkeypatch.setattr(building, "IS_WINDOWS", True)
    folder = tmp_path / "drives"
    folder.mkdir()
    (folder / "drives.c").write_text("this is no program")
    program = folder / "drives.exe"
    program.write_bytes(b"MZ")
    program.chmod(0o755)
    assert building.build_late(folder) is None
    assert executable.find(folder, "drives") == program


def test_another_interpreter_can_be_named(project: Project, tmp_path: Path):
    project.write(robot("a", "short"), short=steps(2, after="import sys; print(sys.argv[1:])"))
    other = tmp_path / "python"
    other.write_text(f'#!/bin/sh\nexec {sys.executable} "$@" added\n')
    other.chmod(0o755)
    project.file("short", "runtime.ini", f"[python]\nCOMMAND = {other}\n")
    assert project.printed() == "['added']\n"


def test_problems_of_runtime_ini_have_their_lines(tmp_path: Path):
    path = tmp_path / "runtime.ini"
    wrong = "nonsense\n[python]\nCOMAND = python3\n[enviroment variables]\nA = 1\n"
    ini = RuntimeIni(path, wrong + "[environment variables]\nB = 2\n")
    first, second, third = ini.problems
    assert first.startswith(f"{path}:1: ")
    assert second == f"{path}:3: unknown key COMAND; allowed: COMMAND and OPTIONS"
    assert third.startswith(f"{path}:5: A is in the unknown section")
    assert "did you mean 'environment variables'" in third
    environment: dict[str, str] = {}
    ini.apply(environment)
    assert environment == {"B": "2"}


def test_values_of_runtime_ini_do_not_grow_without_end(tmp_path: Path):
    """Each line doubles a value: 40 lines would make a terabyte."""
    ini = RuntimeIni(tmp_path / "runtime.ini", "[environment variables]\nA = x\n" + "A = $(A)$(A)\n" * 40)
    environment: dict[str, str] = {}
    ini.apply(environment)
    assert environment == {"A": "x" * (LONGEST_VALUE // 2)}
    assert "runtime.ini:19: A is longer than 131072 characters" in ini.problems[0]


def test_a_large_runtime_ini_has_no_effect(tmp_path: Path):
    (tmp_path / "runtime.ini").write_text("[environment variables]\nA = 1\n" + ";" * MOST_BYTES)
    ini = read_runtime_ini(tmp_path)
    environment: dict[str, str] = {}
    ini.apply(environment)
    assert environment == {}
    assert "more than 65536 bytes" in ini.problems[0]


def test_a_program_is_a_controller(project: Project):
    project.write(robot("a", "script", 'controllerArgs "x"'), helper=steps(3, after="print('ran')"))
    script = project.file(
        "script", "script", f'#!/bin/sh\necho "$1"\nexec {sys.executable} ../helper/helper.py\n'
    )
    script.chmod(0o755)
    assert project.printed() == "x\nran\n"


def test_libraries_of_the_project_are_found(project: Project):
    project.write(robot("a", "tells"), tells=TELL)
    (project.folder / "libraries" / "mine").mkdir(parents=True)
    paths = json.loads(project.printed())["environment"][LIBRARIES].split(os.pathsep)
    assert str(project.folder / "libraries" / "mine") in paths
    assert str(project.folder / "controllers" / "tells") in paths


@pytest.mark.parametrize("inline", [False, True])
def test_webots_home_has_the_modules_of_controllers(
    project: Project, inline: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("WEBOTS_HOME", raising=False)
    code = """
        import os, sys
        folder = os.environ["WEBOTS_HOME"] + "/lib/controller/python"
        sys.path.append(folder)
        from controller import Robot
        robot = Robot()
        print(sorted(os.listdir(folder)), os.path.isfile(folder + "/controller/__init__.py"))
        robot.step(16)
    """
    project.write(robot("a", "finds"), finds=dedent(code))
    assert project.printed(inline=inline) == "['controller', 'vehicle', 'wbridge'] True\n"


def test_an_installed_webots_stays_the_home(project: Project, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("WEBOTS_HOME", "/usr/local/webots")
    project.write(robot("a", "tells"), tells=TELL)
    assert json.loads(project.printed())["environment"]["WEBOTS_HOME"] == "/usr/local/webots"
