"""A run with windows: what they ask for is done between steps, also while it is paused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.controllers.project import LOOP, Project, robot
from tests.windows.page_messages import differences
from wbridge.robot_windows.hub import Hub, Watched
from wbridge.robot_windows.messages import RobotState, RunState
from wbridge.robot_windows.subscribers import Command
from wbridge.wbcore.controllers.output import Output
from wbridge.wbcore.controllers.runner import Runner
from wbridge.wbcore.windows.allowed import Allowed
from wbridge.wbcore.windows.simulation_handler import SimulationHandler

PRINTS = LOOP.replace("while", "print('hello', flush=True)\nwhile")
ECHO = """
from controller import Robot
robot = Robot()
robot.wwiSendText('ready')
while robot.step(16) != -1:
    text = robot.wwiReceiveText()
    if text:
        robot.wwiSendText(text + '!')
"""
COMES_AND_GOES = """
from controller import Supervisor
supervisor = Supervisor()
root = supervisor.getRoot().getField('children')
while supervisor.step(16) != -1:
    if supervisor.getTime() == 0.16:
        root.importMFNodeFromString(-1, 'DEF LATE Robot { name "late" controller "<none>" }')
        supervisor.getRoot()  # a question, while the newcomer has no session
    elif supervisor.getTime() == 0.32:
        supervisor.getFromDef('LATE').remove()
        supervisor.getRoot()
"""
GROWS = """
from controller import Supervisor
supervisor = Supervisor()
own = supervisor.getSelf().getField('children')
while supervisor.step(16) != -1:
    if supervisor.getCustomData() == 'grow':
        supervisor.setCustomData('')
        own.importMFNodeFromString(-1, 'DistanceSensor { name "late" }')
"""
KEYS = """
from controller import Robot
robot = Robot()
keyboard = robot.getKeyboard()
keyboard.enable(16)
while robot.step(16) != -1:
    key = keyboard.getKey()
    if key != -1:
        robot.setCustomData(str(key))
"""


class Show:
    """A run with a page: a script that says, while nobody else acts, what comes next."""

    def __init__(
        self,
        runner: Runner,
        script: Callable[[Show], Any],
        scenes: Path | None = None,
        saves: Path | None = None,
    ) -> None:
        self.runner, self.hub = runner, Hub()
        self.worlds = 0
        self.hub.watch(self, Watched(frozenset({0}), True))
        self.handler = SimulationHandler(
            runner, self.hub, self.hub.take, self._opened, scenes, Allowed(saves)
        )
        self._script = iter(script(self))
        attend = runner.on_wait

        def wait() -> None:
            assert attend is not None
            attend()
            if next(self._script, self) is self:
                runner.end(0, "the script is over")

        runner.on_wait = wait

    def _opened(self, handler: SimulationHandler) -> None:
        self.worlds += 1

    def ask(self, name: str, robot: int = -1, **values: Any) -> None:
        assert self.hub.put(Command(name, robot, values))

    def said(self) -> list[str]:
        return [one["text"] for one in self.hub.lines.read(0).items]


def _until(condition: Callable[[], Any]) -> Any:
    while not condition():
        yield


def _play(
    project: Project, script: Callable[[Show], Any], scenes: Path | None = None, **options: Any
) -> Show:
    with project.runner(None, **options) as runner:
        show = Show(runner, script, scenes)
        runner.run()
    return show


def test_a_run_with_windows_goes_on_without_controllers(project: Project):
    project.write(robot("a", "<none>"))

    def script(show: Show) -> Any:
        yield from _until(lambda: show.runner.steps > 20)

    show = _play(project, script)
    assert show.runner.steps > 20
    state = show.hub.newest()
    assert differences(RunState, state.run) == []
    assert differences(RobotState, state.robots[0]) == []


def test_pause_step_and_go_on(project: Project):
    project.write(robot("a", "loop"), loop=LOOP)
    seen: list[int] = []

    def script(show: Show) -> Any:
        yield from _until(lambda: show.runner.steps >= 5)
        show.ask("pause")
        yield from _until(lambda: show.runner.simulation.mode == 0)
        seen.append(show.runner.steps)
        for _ in range(5):
            yield
        seen.append(show.runner.steps)
        show.ask("step")
        yield from _until(lambda: show.runner.steps != seen[0])
        for _ in range(5):
            yield
        seen.append(show.runner.steps)
        show.ask("play", speed=None)
        yield from _until(lambda: show.runner.steps > seen[0] + 10)
        show.ask("play", speed=2.0)
        yield from _until(lambda: show.runner.speed == 2.0)
        assert show.runner.simulation.mode == 1

    _play(project, script)
    assert seen == [seen[0], seen[0], seen[0] + 1]


def test_reset_starts_world_and_controllers_anew(project: Project, tmp_path: Path):
    code = LOOP.replace("while", f"open({str(tmp_path / 'starts')!r}, 'a').write('x')\nwhile")
    project.write(robot("a", "loop"), loop=code)

    def script(show: Show) -> Any:
        yield from _until(lambda: show.runner.simulation.steps >= 20)
        show.ask("reset")
        yield from _until(lambda: show.runner.simulation.steps < 20)
        yield from _until(lambda: show.runner.simulation.steps >= 3)

    _play(project, script)
    assert (tmp_path / "starts").read_text() == "xx"


def test_messages_go_to_the_window_and_back(project: Project):
    project.write(robot("a", "echo"), echo=ECHO)

    def script(show: Show) -> Any:
        yield from _until(lambda: show.hub.messages.end >= 1)
        show.hub.put(Command("message", -1, {"robot": "a", "text": "ü"}))
        yield from _until(lambda: show.hub.messages.end >= 2)

    show = _play(project, script)
    assert show.hub.messages.read(0).items == [("a", b"ready"), ("a", "ü!".encode())]


def test_keys_reach_the_keyboard_and_are_released_with_the_page(project: Project):
    project.write(robot("a", "keys"), keys=KEYS)

    def script(show: Show) -> Any:
        show.ask("key", key="UP", down=True, shift=True, control=False, alt=False)
        yield from _until(lambda: show.hub.state.robots.get(0, {}).get("customData"))
        assert show.hub.state.robots[0]["customData"] == str(315 | 0x10000)
        show.ask("left")
        yield from _until(lambda: not show.runner.simulation.robots.user.keyboard.keys)

    _play(project, script)


def test_what_cannot_be_done_is_said(project: Project):
    project.write(robot("a", "<none>"))

    def script(show: Show) -> Any:
        show.ask("stop", 5)
        show.ask("set", 0, device=9, channel="velocity", value=1.0)
        show.ask("key", key="nonsense", down=True, shift=False, control=False, alt=False)
        show.hub.put(Command("message", -1, {"robot": "nobody", "text": ""}))
        yield from _until(lambda: show.hub.lines.end >= 4)

    said = _play(project, script).said()
    assert said[0] == "no robot with number 5"
    assert said[1] == "no device 9; the robot has 0"
    assert said[2].startswith('no key "nonsense"')
    assert said[3] == 'no robot named "nobody"; available: "a"'


def test_what_controllers_print_is_shown(project: Project, capfd: pytest.CaptureFixture[str]):
    project.write(robot("a", "prints"), prints=PRINTS)
    printed: list[tuple[str, str, bool]] = []

    def script(show: Show) -> Any:
        yield from _until(lambda: printed)

    _play(project, script, output=Output(tap=lambda *all: printed.append(all)))
    assert printed == [("a", "hello\n", False)]
    assert capfd.readouterr().out == "hello\n"


def test_the_state_tells_run_robots_and_places(project: Project):
    project.write(robot("a", "loop", "translation 1 2 0"), loop=LOOP)

    def script(show: Show) -> Any:
        yield from _until(lambda: show.hub.state.run and show.runner.steps > 3)

    state = _play(project, script).hub.state
    assert state.run["step"] == 0.016
    assert state.robots[0]["controller"] == "loop"
    assert state.places is not None and state.places["robots"][0][:2] == [1.0, 2.0]


def test_robots_come_and_go_before_the_eyes_of_a_window(project: Project, monkeypatch: pytest.MonkeyPatch):
    """A window looks at any moment, also when a robot is there and its controller's session is not."""
    monkeypatch.setattr("wbridge.wbcore.windows.request_handler.PERIOD_S", 0.0)
    project.write(robot("boss", "boss", "supervisor TRUE"), boss=COMES_AND_GOES)
    seen: list[list[str]] = []

    def script(show: Show) -> Any:
        while show.runner.simulation.time < 0.5:
            names = [one.robot.name for one in show.handler.robots]
            if not seen or seen[-1] != names:
                seen.append(names)
            yield

    _play(project, script)
    assert seen == [["boss"], ["boss", "late"], ["boss"]]


def test_devices_that_come_are_shown_and_who_drives_goes_on(project: Project):
    project.write(robot("boss", "boss", "supervisor TRUE"), boss=GROWS)

    def script(show: Show) -> Any:
        yield from _until(lambda: show.runner.steps > 3)
        show.ask("control", 0, on=True)
        yield from _until(lambda: show.hub.state.robots.get(0, {}).get("driver") == "window")
        show.ask("custom", 0, text="grow")
        yield from _until(lambda: show.worlds > 1)

    show = _play(project, script)
    assert [one.name for one in show.handler.robots[0].robot.devices] == ["late"]
    assert show.handler.robots[0].is_driven


def test_nothing_is_gathered_while_nobody_watches(project: Project):
    project.write(robot("a", "loop"), loop=LOOP)
    with project.runner(50) as runner:
        hub = Hub()
        SimulationHandler(runner, hub, hub.take, lambda handler: None)
        runner.run()
        assert hub.state.version == 0
        assert runner.simulation.robots.list[0].message_log is None
        assert runner.steps == 50


def test_the_scene_is_described_while_a_page_shows_it(project: Project, tmp_path: Path):
    project.write(robot("a", "<none>"))
    seen: list[Any] = []

    def script(show: Show) -> Any:
        yield from _until(lambda: show.runner.steps > 5)
        seen.append(show.hub.state.scene)
        show.hub.watch(show, Watched(scene=True))
        yield from _until(lambda: show.hub.state.scene is not None)
        assert show.hub.state.scene is not None
        seen.append((tmp_path / show.hub.state.scene["file"]).is_file())
        show.hub.watch(show, Watched())
        yield from _until(lambda: show.hub.state.scene is None)
        seen.append(show.runner.simulation.edits.look_watchers)

    _play(project, script, tmp_path)
    assert seen == [None, True, []]
