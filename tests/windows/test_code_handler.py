"""The code panel of a run: what pages read and write of controllers, and what they may not."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.controllers.project import LOOP, Project, robot
from tests.windows.test_building import ask
from tests.windows.test_scene_handler import Page, show
from wbridge.robot_windows.hub import Watched
from wbridge.robot_windows.requests import BadRequest, read_command
from wbridge.wbcore.windows.new_controller import first_program

__all__ = ["show"]

WORLD = robot("cart", "driver") + robot("other", "driver") + robot("idle", "<none>", children="GPS { }")
Show = Callable[..., Page]


@pytest.fixture
def driver(project: Project) -> Path:
    """The program of two robots."""
    return project.file("driver", "driver.py", LOOP)


def sources(page: Page, folder: Path) -> dict[str, dict[str, Any]]:
    """What the page shows, by name."""
    shown = page.message("code")
    files = json.loads((folder / "scene" / shown["file"]).read_text("utf-8"))
    return {file["name"]: file for file in files}


def restarted(page: Page, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Robots whose controllers are started again, from now on."""
    names: list[str] = []
    monkeypatch.setattr(page.runner, "restart_controller", lambda one: names.append(one.name))
    return names


def test_pages_read_the_sources_of_all_controllers(show: Show, driver: Path, tmp_path: Path):
    (driver.parent / "driver.c").write_bytes(b"int main() { return 0; }\r\n")
    (driver.parent / "notes.txt").write_text("private")
    page = show(world=WORLD)
    assert page.message("code") is None, "nothing is read before a page asks"
    page.ask("code")
    shown = sources(page, tmp_path)
    assert list(shown) == ["driver/driver.c", "driver/driver.py"]
    assert shown["driver/driver.py"]["text"] == LOOP


def test_a_run_that_does_not_allow_it_writes_nothing(show: Show, driver: Path, tmp_path: Path):
    page = show(world=WORLD)
    page.ask("code")
    assert page.message("code")["canWrite"] is False
    known = sources(page, tmp_path)["driver/driver.py"]["digest"]
    assert "--edit-controllers" in ask(page, "write", name="driver/driver.py", text="", known=known)
    idle = page.runner.simulation.robots.list[2].number
    assert "--edit-controllers" in ask(page, "begin", robot=idle, name="fresh")
    assert driver.read_text() == LOOP
    assert not (driver.parent.parent / "fresh").exists()


def test_what_is_written_restarts_its_controllers(
    show: Show, driver: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    page = show(world=WORLD, code=True)
    names = restarted(page, monkeypatch)
    page.ask("code")
    known = sources(page, tmp_path)["driver/driver.py"]["digest"]
    driver.chmod(0o755)
    mode = driver.stat().st_mode  # on Windows, files have no bits for users and groups
    assert os.name == "nt" or mode & 0o777 == 0o755
    assert ask(page, "write", name="driver/driver.py", text="pass\n", known=known) == ""
    assert (driver.read_text(), names) == ("pass\n", ["cart", "other"])
    assert driver.stat().st_mode == mode
    assert sources(page, tmp_path)["driver/driver.py"]["text"] == "pass\n", "for other pages, too"
    assert sorted(path.name for path in driver.parent.iterdir()) == ["driver.py"]


def test_line_ends_stay_those_of_the_file(show: Show, driver: Path, tmp_path: Path):
    driver.write_bytes(b"a = 1\r\nb = 2\r\n")
    page = show(world=WORLD, code=True)
    page.ask("code")
    known = sources(page, tmp_path)["driver/driver.py"]["digest"]
    assert ask(page, "write", name="driver/driver.py", text="a = 2\nb = 2\n", known=known) == ""
    assert driver.read_bytes() == b"a = 2\r\nb = 2\r\n"


def test_a_file_that_another_editor_has_changed_is_not_overwritten(show: Show, driver: Path, tmp_path: Path):
    page = show(world=WORLD, code=True)
    page.ask("code")
    known = sources(page, tmp_path)["driver/driver.py"]["digest"]
    driver.write_bytes(b"theirs = 1\n")
    problem = ask(page, "write", name="driver/driver.py", text="mine = 1\n", known=known)
    assert "has changed on the disk" in problem
    assert driver.read_bytes() == b"theirs = 1\n"
    shown = sources(page, tmp_path)["driver/driver.py"]
    assert shown["text"] == "theirs = 1\n"
    assert ask(page, "write", name="driver/driver.py", text="mine = 1\n", known=shown["digest"]) == ""


@pytest.mark.parametrize(
    "name",
    ["driver/new.py", "../worlds/test.wbt", "driver/../../worlds/test.wbt", "driver/link.py", "", "/etc/x"],
)
def test_pages_write_no_other_files(show: Show, driver: Path, name: str):
    (driver.parent / "link.py").symlink_to(driver.parent.parent.parent / "outside.py")
    (driver.parent.parent.parent / "outside.py").write_text("")
    page = show(world=WORLD, code=True)
    before = {path: path.read_bytes() for path in driver.parents[2].rglob("*") if path.is_file()}
    assert "no file of a controller" in ask(page, "write", name=name, text="1 / 0", known="")
    assert {path: path.read_bytes() for path in before} == before


def test_the_size_of_a_text_is_limited():
    text = "x" * 200_001
    with pytest.raises(BadRequest, match="200000 characters"):
        read_command({"do": "write", "name": "driver/driver.py", "text": text, "known": "", "id": 1})


def test_a_robot_gets_a_first_program_and_loses_it_by_undo(show: Show, driver: Path, tmp_path: Path):
    page = show(world=WORLD, code=True)
    page.ask("pause")
    idle = page.runner.simulation.robots.list[2]
    assert ask(page, "begin", robot=idle.number, name="seeker") == ""
    program = driver.parent.parent / "seeker" / "seeker.py"
    assert 'gps = robot.getDevice("gps")\ngps.enable(step)\n' in program.read_text()
    assert idle.node.get("controller") == "seeker"
    assert "seeker/seeker.py" in sources(page, tmp_path)
    assert ask(page, "undo") == ""
    assert idle.node.get("controller") == "<none>"
    assert program.exists(), "a person may have written into it"


def test_a_controller_that_exists_is_taken_as_it_is(show: Show, driver: Path):
    page = show(world=WORLD, code=True)
    page.ask("pause")
    idle = page.runner.simulation.robots.list[2]
    assert ask(page, "begin", robot=idle.number, name="driver") == ""
    assert driver.read_text() == LOOP
    assert idle.node.get("controller") == "driver"


@pytest.mark.parametrize("name", ["", "..", "a/b", "a\\b", ".hidden", "-x", "x" * 61, "ä"])
def test_names_of_new_controllers_are_plain(show: Show, driver: Path, name: str):
    page = show(world=WORLD, code=True)
    idle = page.runner.simulation.robots.list[2]
    assert "give a name" in ask(page, "begin", robot=idle.number, name=name)
    assert sorted(os.listdir(driver.parent.parent)) == ["driver"]


def test_a_first_program_compiles_whatever_devices_are_called(show: Show):
    """Names of devices are any text; those of variables are not."""
    names = ["a b", "a_b", "1st", "class", "robot", "ü", '"quoted"', "back\\slash", "", "line\nend"]
    children = " ".join(f"GPS {{ name {json.dumps(name, ensure_ascii=False)} }}" for name in names)
    page = show(world=robot("r", "<none>", children=children))
    devices = page.runner.simulation.robots.list[0].table.devices
    text = first_program('r"""\\', devices)
    taken: list[str] = []

    def take(robot: object, name: str) -> object:
        taken.append(name)
        return robot

    methods = {"getDevice": take, "enable": lambda *_: None, "step": lambda *_: -1}
    fake = type("Robot", (), {"getBasicTimeStep": lambda _: 16.0, **methods})
    exec(compile(text.replace("from controller import Robot", ""), "first.py", "exec"), {"Robot": fake})
    assert taken == [device.name for device in devices]


def test_breakpoints_need_the_option_and_processes(show: Show, driver: Path, project: Project):
    page = show(world=WORLD)
    number = page.runner.simulation.robots.list[0].number
    for what in (
        {"what": "breakpoints", "name": "driver/driver.py", "lines": [3]},
        {"what": "debug", "robot": number, "command": "start"},
    ):
        assert "--edit-controllers" in ask(page, **what)
    page = show(world=WORLD, code=True)
    robots = page.runner.simulation.robots.list
    assert "no file of a controller" in ask(page, "breakpoints", name="driver/other.py", lines=[3])
    assert "is not started here" in ask(page, "debug", robot=robots[2].number, command="start")
    assert "no longer in the world" in ask(page, "debug", robot=99, command="start")
    assert "with breakpoints first" in ask(page, "debug", robot=robots[0].number, command="over")
    assert ask(page, "breakpoints", name="driver/driver.py", lines=[4, 3, 4]) == ""
    assert page.message("debugger") == {"lines": {"driver/driver.py": [3, 4]}, "robots": {}}
    assert ask(page, "debug", robot=robots[0].number, command="start") == ""
    assert page.message("debugger")["robots"] == {robots[0].number: None}


def test_nobody_is_held_when_the_last_page_has_left(show: Show, driver: Path):
    page = show(world=WORLD, code=True)
    robot = page.runner.simulation.robots.list[0]
    assert ask(page, "debug", robot=robot.number, command="start") == ""
    task = next(task for task in page.runner.controllers.tasks if task.robot == robot.name)
    assert task.launcher.command
    page.hub.watch(page, Watched())
    page.handler.publish(2e6)
    assert task.launcher.command == ()


@pytest.mark.parametrize("lines", [[-1], ["3"], list(range(101)), 3, [True]])
def test_lines_of_breakpoints_are_checked(lines: object):
    with pytest.raises(BadRequest, match="whole number"):
        read_command({"do": "breakpoints", "name": "a/a.py", "lines": lines, "id": 1})
