"""`wbridge run --keys`: key presses at simulated times.

Judge: the manual's chapter on the keyboard (modifiers, -1 after the last key, at most 7 keys), and
WbRobot.cpp for the codes of keys without a character.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import require_tool
from tests.controllers.project import Project, robot
from wbridge.main import main
from wbridge.wbcore.controllers.key_script import BadKeyScript, read_key_script
from wbridge.wbcore.robots.user import code_of

SCRIPT = """# time, what, key
0.032 press UP
0.048, press, shift+a

0.064 release UP
0.080 press CONTROL++
0.080 press F1     # at the same time
0.112 release a
0.112 press ENTER
0.113 release ENTER
"""
SHIFT, CONTROL = 0x10000, 0x20000
WANTED = {
    16: [],
    32: [315],
    48: [315, 65 | SHIFT],
    64: [65 | SHIFT],
    80: [65 | SHIFT, 43 | CONTROL, 48],
    96: [65 | SHIFT, 43 | CONTROL, 48],
    112: [43 | CONTROL, 48, 4],
    128: [43 | CONTROL, 48],
}
PYTHON = """
from controller import Robot
robot = Robot()
keyboard = robot.getKeyboard()
keyboard.enable(16)
for _ in range(8):
    robot.step(16)
    keys = []
    while (key := keyboard.getKey()) != -1:
        keys.append(str(key))
    print(round(1000 * robot.getTime()), *keys)
"""
C = """#include <stdio.h>
#include <webots/keyboard.h>
#include <webots/robot.h>
int main(void) {
  wb_robot_init();
  wb_keyboard_enable(16);
  for (int i = 0; i < 8; i++) {
    wb_robot_step(16);
    printf("%.0f", 1000 * wb_robot_get_time());
    for (int key; (key = wb_keyboard_get_key()) != -1;) printf(" %d", key);
    printf("\\n");
  }
  wb_robot_cleanup();
  return 0;
}
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path)
    made.write(robot("a", "typist"))
    (tmp_path / "keys.txt").write_text(SCRIPT)
    return made


def read(out: str) -> dict[int, list[int]]:
    rows = [[int(one) for one in line.split()] for line in out.splitlines() if line[:1].isdigit()]
    return {time: keys for time, *keys in rows}


def run(project: Project, *options: str) -> int:
    keys = str(project.folder / "keys.txt")
    return main(["run", str(project.world), "--timeout", "60", "--quiet", "--keys", keys, *options])


@pytest.mark.parametrize("options", [(), ("--inline",)])
def test_python_controllers_read_the_keys_at_their_times(
    project: Project, capfd: pytest.CaptureFixture[str], options: tuple[str, ...]
):
    project.file("typist", "typist.py", PYTHON)
    for _ in range(2):  # the same in each run
        assert run(project, *options) == 0
        assert read(capfd.readouterr().out) == WANTED


def test_controllers_in_c_read_the_keys_at_their_times(project: Project, capfd: pytest.CaptureFixture[str]):
    require_tool("cc", "controllers in C are built with it")
    project.file("typist", "typist.c", C)
    assert run(project) == 0
    assert read(capfd.readouterr().out) == WANTED


def test_the_script_starts_again_after_a_reset(project: Project, capfd: pytest.CaptureFixture[str]):
    code = PYTHON.replace("Robot", "Supervisor").replace("range(8)", "range(6)")
    code += "    if _ == 2: robot.simulationReset()\n"
    project.write(robot("a", "typist", "supervisor TRUE"), typist=code)
    (project.folder / "keys.txt").write_text("0.032 press UP\n0.064 release UP\n")
    assert run(project) == 0
    rows = [line.split() for line in capfd.readouterr().out.splitlines() if line[:1].isdigit()]
    assert ["32", "315"] in rows[:3]
    assert ["32", "315"] in rows[3:], "again after the reset"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0.5 push UP", '"push"; allowed: press or release'),
        ("0.5 press UPP", "no key \"UPP\"; did you mean 'UP'?"),
        ("0.5 press Return", "no key \"Return\"; did you mean 'ENTER'?"),
        ("0.5 press ArrowUp", "no key \"ArrowUp\"; did you mean 'UP'?"),
        ("0.5 press spacebar", "no key \"spacebar\"; did you mean 'SPACE'?"),
        ("0.5 press WB_KEYBOARD_UP", "did you mean 'UP'?"),
        ("0.5 press Keyboard.PAGEUP", "did you mean 'PAGEUP'?"),
        (
            "0.5 press windows",
            'no key "windows"; allowed: one character, SPACE, or TAB, BACKTAB, BACKSPACE, ENTER,',
        ),
        ("0.5 press # the key is missing", "is not a time (s), press or release, and a key"),
        ("0.5 press CONTROL+", "CONTROL+ alone is not reported to controllers"),
        ("0.5 press", "is not a time (s), press or release, and a key, as in: 0.5 press UP"),
        ("soon press A", 'the time "soon" is not a number of seconds from 0 on'),
        ("-1 press A", 'the time "-1" is not a number of seconds from 0 on'),
        ("nan press A", 'the time "nan" is not a number of seconds from 0 on'),
        ("0.1 press A", "the time 0.1 s is before that of the line above, 0.2 s"),
        ("0.5 press CTRL+A", 'no modifier "CTRL"; allowed: SHIFT, CONTROL, ALT'),
        (
            "0.5 press SHIFT",
            "SHIFT alone is not reported to controllers; combine it with a key, as in SHIFT+A",
        ),
        ("0.5 release B", '"B" is released without being pressed before'),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, message: str):
    path = tmp_path / "keys.txt"
    path.write_text(f"# a comment\n0.2 press x\n{line}\n")
    with pytest.raises(BadKeyScript) as found:
        read_key_script(path)
    assert str(found.value).startswith(f"{path}:3: ")
    assert message in str(found.value)


def test_a_command_with_a_wrong_file_ends_before_the_run(project: Project, capfd: pytest.CaptureFixture[str]):
    keys = project.folder / "keys.txt"
    keys.write_text("1 press\n")
    assert run(project) == 2
    assert f"--keys: {keys}:1: " in capfd.readouterr().err
    keys.unlink()
    assert run(project) == 2
    assert f"--keys: {keys}: No such file or directory" in capfd.readouterr().err


def test_keys_need_controllers(project: Project, capfd: pytest.CaptureFixture[str]):
    assert run(project, "--no-controllers") == 2
    assert "leave out --no-controllers" in capfd.readouterr().err


def test_keys_without_a_character_have_the_codes_of_webots():
    """Judge: Qt::Key (Key_Tab = 0x01000001 and so on) and WbRobot.cpp, which keeps the low 16 bits."""
    qt = {"TAB": 0x01000001, "BACKTAB": 0x01000002, "BACKSPACE": 0x01000003, "ENTER": 0x01000004}
    qt |= {"NUMPAD_ENTER": 0x01000005, "INSERT": 0x01000006, "DELETE": 0x01000007}
    qt |= {f"F{number}": 0x0100002F + number for number in range(1, 13)}
    assert {name: code_of(name) for name in qt} == {name: code & 0xFFFF for name, code in qt.items()}


def test_all_keys_of_the_table_have_names(tmp_path: Path):
    path = tmp_path / "keys.txt"
    names = [
        "TAB",
        "BACKSPACE",
        "ENTER",
        "INSERT",
        "DELETE",
        "ESCAPE",
        "SPACE",
        "F12",
        "NUMPAD_END",
        "+",
        ",",
        "é",
    ]
    path.write_text("".join(f"0 press {name}\n" for name in names))
    assert [event.key for event in read_key_script(path)] == [" " if one == "SPACE" else one for one in names]


def test_actions_in_capitals_the_sign_of_comments_and_files_of_windows(tmp_path: Path):
    """Newcomers' files: PRESS, the key #, and the mark that Notepad puts before UTF-8."""
    path = tmp_path / "keys.txt"
    path.write_bytes("\ufeff0.5 PRESS #\r\n0.6 Release # # a comment\r\n0.7 press CONTROL+#\r\n".encode())
    events = read_key_script(path)
    assert [(event.is_press, event.key) for event in events] == [(True, "#"), (False, "#"), (True, "#")]


@pytest.mark.parametrize("period", [16, 64])
@pytest.mark.parametrize("language", ["python", "c"])
def test_keys_from_before_a_reset_are_not_reported_after_it(
    project: Project, capfd: pytest.CaptureFixture[str], language: str, period: int
):
    """A keyboard that is sampled rarely does not report what was pressed and released before the reset.

    Judge: the run after a reset is the same as the first one.
    """
    boss = """
from controller import Supervisor
robot = Supervisor()
for step in range(12):
    robot.step(16)
    if step == 4:
        robot.simulationReset()
"""
    code = PYTHON.replace("enable(16)", f"enable({period})").replace("range(8)", "range(12)")
    project.write(robot("a", "boss", "supervisor TRUE"), robot("b", "typist"), boss=boss)
    if language == "c":
        require_tool("cc", "controllers in C are built with it")
        text = C.replace("enable(16)", f"enable({period})").replace("i < 8", "i < 12")
        project.file("typist", "typist.c", text)
    else:
        project.file("typist", "typist.py", code)
    (project.folder / "keys.txt").write_text("0.072 press a\n0.073 release a\n0.079 press B\n0.3 release B\n")
    assert run(project) == 0
    rows = [line.split() for line in capfd.readouterr().out.splitlines() if line[:1].isdigit()]
    again = next(i for i, row in enumerate(rows) if i and row[0] == "16")
    assert all(len(row) == 1 for row in rows[again:] if int(row[0]) < 80)
    if period == 16:
        assert [row for row in rows if row[0] == "80"] == [["80", "65", "66"]] * 2
