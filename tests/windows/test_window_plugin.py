"""Robot-window plugins in Python: found, called in the order of the manual, and harmless when they fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.controllers.project import Project, robot, steps
from wbridge.hal.plugins import PluginError
from wbridge.hal.window_plugins import find_window_plugin

LOGS = """
import os
from wbridge.hal.api import *
log = []
def note(name):
    log.append(name)
def wbw_init():
    note("init " + wb_robot_get_name())
    return True
def wbw_cleanup():
    note("cleanup")
    print(" ".join(log), flush=True)
def wbw_show():
    note("show")
def wbw_write_actuators():
    note("write")
def wbw_pre_update_gui():
    note("pre")
def wbw_update_gui():
    if log[-1] != "gui":
        note("gui")
def wbw_read_sensors():
    note(f"read@{wb_robot_get_time():.3f}")
def wbw_robot_window_custom_function(arg):
    return arg + 1
"""
MODERN = """
from wbridge.hal.api import *
def wb_robot_window_init():
    print("init", flush=True)
def wb_robot_window_step(time_step):
    print(time_step, wb_robot_get_time(), flush=True)
def wb_robot_window_cleanup():
    print("cleanup", flush=True)
"""
SLOW = """
import pathlib, time
from controller import Robot
robot = Robot()
deadline = time.monotonic() + 30
while not pathlib.Path("ENOUGH").exists() and time.monotonic() < deadline:
    time.sleep(0.01)
robot.step(16)
"""
"""It steps when the window was updated often enough."""
ASKS = """
from wbridge.hal.api import wb_robot_window_custom_function
print(wb_robot_window_custom_function(41), flush=True)
"""


@pytest.fixture(params=[False, True], ids=["process", "inline"])
def inline(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def _plugin(project: Project, text: str, place: str = "w/w.py") -> None:
    file = project.folder / "plugins" / "robot_windows" / place
    file.parent.mkdir(parents=True)
    file.write_text(text)


def _printed(project: Project, inline: bool, controller: str, fields: str = 'window "w"') -> str:
    project.write(robot("a", "c", fields), c=controller)
    return project.printed(inline=inline)


def test_the_order_of_calls_is_that_of_the_manual(project: Project, inline: bool):
    _plugin(project, LOGS)
    first = "init a write pre gui read@0.016"
    assert _printed(project, inline, steps(2, ASKS)) == f"42\n{first} write pre gui read@0.032 cleanup\n"


def test_a_window_that_shall_be_shown_is_shown_first(project: Project, inline: bool):
    _plugin(project, LOGS, "w.py")
    out = _printed(project, inline, steps(1), 'window "w" showWindow TRUE')
    assert out == "init a show write pre gui read@0.016 cleanup\n"


def test_a_window_that_somebody_opens_during_a_run_is_shown(
    project: Project, capfd: pytest.CaptureFixture[str]
):
    _plugin(project, LOGS)
    project.write(robot("a", "c", 'window "w"'), c=steps(4))
    with project.runner() as runner:

        def look(simulation: object) -> None:
            if runner.steps == 2:
                runner.simulation.robots.list[0].part("window").send("init robot window")

        runner.on_step = look
        runner.run()
    assert capfd.readouterr().out.count(" show read@0.0") == 1


def test_the_functions_of_html_windows_are_called_too(project: Project, inline: bool):
    _plugin(project, MODERN)
    assert _printed(project, inline, steps(2)) == "init\n16 0.016\n16 0.032\ncleanup\n"


def test_what_a_plugin_says_of_actuators_counts(project: Project, inline: bool):
    """The last word before the step is the window's."""
    _plugin(project, LOGS.replace('note("write")', "wb_robot_set_custom_data('window')"))
    after = "print(robot.getCustomData())"
    out = _printed(project, inline, steps(1, "robot.setCustomData('controller')", after))
    assert out.splitlines()[0] == "window"


def test_begin_and_end_of_a_step_are_a_step(project: Project, inline: bool):
    _plugin(project, LOGS)
    text = "robot.stepBegin(16)\nprint('computing', flush=True)\nrobot.stepEnd()"
    out = _printed(project, inline, steps(0, text))
    assert out == "computing\ninit a write pre gui read@0.016 cleanup\n"


def test_the_gui_is_updated_while_the_simulator_computes(project: Project):
    """A simulator that needs long for its step keeps the window alive."""
    enough = str(project.folder / "enough")
    more = f'note("gui")\n    if log.count("gui") == 8:\n        open({enough!r}, "w").close()'
    _plugin(project, LOGS.replace('if log[-1] != "gui":\n        note("gui")', more))
    slow = SLOW.replace("ENOUGH", enough)
    project.write(robot("a", "c", 'window "w"'), robot("b", "slow"), c=steps(1), slow=slow)
    assert project.printed().count("gui") >= 8


def test_a_mistake_of_a_plugin_is_told_once_and_the_controller_goes_on(project: Project, inline: bool):
    _plugin(project, LOGS.replace('note("pre")', "1 / 0"))
    out = _printed(project, inline, steps(3, after="print('done', flush=True)"))
    assert out.count("wbw_pre_update_gui failed and is disabled") == 1
    assert out.count("ZeroDivisionError") == 1
    assert "done\n" in out
    assert "write gui read@0.016 write gui read@0.032" in out


def test_a_plugin_makes_no_steps(project: Project, inline: bool):
    _plugin(project, LOGS.replace('note("write")', "wb_robot_step(16)"))
    out = _printed(project, inline, steps(1, after="print(robot.getTime(), flush=True)"))
    assert "only the controller may make steps" in out
    assert "0.016\n" in out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def wbw_init():\n    return False\n", "lacks wbw_cleanup, wbw_update_gui"),
        (LOGS.replace("return True", "return False"), "does not work with this robot"),
        (LOGS.replace("return True", "1 / 0"), "ZeroDivisionError"),
        ("1 +", "SyntaxError"),
        ("raise SystemError('no')", "SystemError: no"),
    ],
)
def test_a_plugin_that_cannot_be_used_leaves_the_controller_alone(
    project: Project, inline: bool, text: str, said: str
):
    _plugin(project, text)
    out = _printed(project, inline, steps(1, after="print('done', flush=True)"))
    assert said in out
    assert "done\n" in out
    assert "gui" not in out.replace("wbw_update_gui", "")


def test_without_a_plugin_the_function_for_it_answers_none(project: Project, inline: bool):
    assert _printed(project, inline, steps(1, ASKS), 'window "other"') == "None\n"


def test_where_plugins_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    project = tmp_path / "project"
    file = project / "plugins" / "robot_windows" / "w" / "w.py"
    file.parent.mkdir(parents=True)
    file.write_text(MODERN)
    for name in ("w", str(file), "/elsewhere/libw.so"):
        found = find_window_plugin(name, str(project))
        assert found is not None and found.__file__ == str(file)
    assert find_window_plugin("other", str(project)) is None
    assert find_window_plugin("../w", str(project)) is None
    assert find_window_plugin("w") is None
    package = tmp_path / "packages"
    (package / "panels-1.dist-info").mkdir(parents=True)
    (package / "panels.py").write_text(MODERN)
    about = "Metadata-Version: 2.1\nName: panels\nVersion: 1\n"
    (package / "panels-1.dist-info" / "METADATA").write_text(about)
    points = "[wbridge.robot_windows]\nw = panels\nlost = nowhere\n"
    (package / "panels-1.dist-info" / "entry_points.txt").write_text(points)
    monkeypatch.syspath_prepend(str(package))
    found = find_window_plugin("w")
    assert found is not None and found.__file__ == str(package / "panels.py")
    with pytest.raises(PluginError, match="nowhere"):
        find_window_plugin("lost")


def test_the_sample_shows_values_once_somebody_looks_and_switches_leds(project: Project):
    from tests.conftest import CHECKOUT
    from wbridge.wbcore.controllers.runner import Runner, RunOptions
    from wbridge.wbcore.scene.load import load_world

    said: list[bytes] = []
    with Runner(load_world(CHECKOUT / "worlds" / "panel.wbt"), RunOptions(timeout_s=20)) as runner:
        robot_ = runner.simulation.robots.list[0]
        window = robot_.part("window")

        def look(simulation: object) -> None:
            if runner.steps == 5:
                assert window.take_messages() == []
                window.send("init robot window")
                window.send("on")
            if runner.steps == 30:
                said.extend(window.take_messages())

        runner.on_step, runner.limit = look, 40
        runner.run()
        values = [one.value for one in robot_.devices if one.entry.type == "LED"]
    assert len(said) >= 3 and said[-1].startswith(b"[") and said[-1].count(b",") == 7
    assert values[1:8] == [1] * 7  # the controller has led0
