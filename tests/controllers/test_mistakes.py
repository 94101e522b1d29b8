"""What beginners get wrong in controllers: they hear what, and in which of their own lines."""

from __future__ import annotations

import logging
import re

import pytest

from tests.controllers.project import LOOP, Project, robot, steps

HEAD = "from controller import Robot\nrobot = Robot()\n"
MOTOR = "HingeJoint { device RotationalMotor { name 'm' } endPoint Solid { } } Emitter { }".replace("'", '"')
INLINE = pytest.mark.parametrize("inline", [False, True], ids=["process", "inline"])


@INLINE
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("robot.getDevice('m').setVelocity('fast')", "ValueError: could not convert string to float: 'fast'"),
        ("robot.getDevice(5)", 'TypeError: the name of a device must be a string such as "motor", not 5'),
        (
            "robot.getDevice('emitter').send(5)",
            "TypeError: send() takes a string, bytes or a list of numbers, not 5",
        ),
        (
            "robot.getFromDef('X')",
            "AttributeError: 'Robot' object has no attribute 'getFromDef'; "
            "supervisors have it: create Supervisor() in the place of Robot()",
        ),
        (
            "from controller import Camera; Camera('m')",
            'ValueError: the device "m" has the kind Motor, not Camera',
        ),
        (
            "from controller import Motor; Motor(2)",
            'ValueError: the device "emitter" has the kind Emitter, not Motor',
        ),
        (
            "robot.setModes()",
            "AttributeError: 'Robot' object has no attribute 'setModes'. Did you mean: 'setMode'?",
        ),
    ],
)
def test_a_traceback_ends_at_a_line_of_the_controller(
    project: Project, capfd: pytest.CaptureFixture[str], inline: bool, line: str, said: str
):
    project.write(robot("a", "wrong", children=MOTOR), wrong=f"{HEAD}{line}\n")
    project.run(inline=inline)
    lines = capfd.readouterr().err.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert [one for one in lines if one.startswith("  File ")] == [
        f'  File "{project.folder / "controllers" / "wrong" / "wrong.py"}", line 3, in <module>'
    ]
    assert lines[-1] == said


@INLINE
def test_calls_that_cannot_be_are_told_with_their_line(
    project: Project, capfd: pytest.CaptureFixture[str], inline: bool
):
    code = f"{HEAD}robot.getDevice('motor')\n\nrobot.step(-1)\n"
    project.write(robot("a", "wrong", children=MOTOR), wrong=code)
    project.run(inline=inline)
    assert capfd.readouterr().err.splitlines() == [
        'Error: wb_robot_get_device() called with "motor", which is not a device of this robot; '
        'it has "m", "emitter". (wrong.py:3)',
        "Error: wb_robot_step() called with a duration of -1 ms; allowed: 0 or more. (wrong.py:5)",
    ]


@INLINE
@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "d.imageNew(b'123', d.RGB, 5, 5)",
            "wb_display_image_new() called with 3 bytes for 5 x 5 pixels; needed: 75.",
        ),
        (
            "d.imageNew(b'123', 99, 1, 1)",
            "wb_display_image_new() called with data for 1 x 1 pixels of format 99.",
        ),
        (
            "d.imageCopy(0, 0, 2**20, 1)",
            "wb_display_image_copy() called with an image of 1048576 x 1 pixels; allowed: 1 to 32767.",
        ),
        (
            "d.imageCopy(0, 0, 1, 0)",
            "wb_display_image_copy() called with an image of 1 x 0 pixels; allowed: 1 to 32767.",
        ),
        ("robot.getSelf().getField('')", "wb_supervisor_node_get_field() called with an empty name."),
        (
            "robot.getSelf().getFromProtoDef('')",
            "wb_supervisor_node_get_from_proto_def() called with an empty name.",
        ),
    ],
)
def test_values_that_cannot_be_are_refused_with_what_was_given(
    project: Project, capfd: pytest.CaptureFixture[str], inline: bool, line: str, said: str
):
    """Webots' own library refuses the same; a copy of 2**20 columns became one of none."""
    head = "from controller import Supervisor\nrobot = Supervisor()\nd = robot.getDevice('d')\n"
    children = 'Display { name "d" }'
    project.write(robot("a", "wrong", children=children, fields="supervisor TRUE"), wrong=f"{head}{line}\n")
    project.run(inline=inline)
    assert capfd.readouterr().err.splitlines() == [f"Error: {said} (wrong.py:4)"]


@INLINE
@pytest.mark.parametrize(
    ("code", "advice"),
    [
        (f"{HEAD}print(1)\n", "; it made no step, so it simulated no time (robot.step(), wb_robot_step())"),
        ("print(1)\n", "; it did not connect to the simulation (by Robot(), or wb_robot_init())"),
        (steps(1), ""),
    ],
)
def test_a_controller_that_does_nothing_is_told(
    project: Project, caplog: pytest.LogCaptureFixture, inline: bool, code: str, advice: str
):
    project.write(robot("a", "idle"), robot("b", "short"), idle=code, short=steps(3))
    with caplog.at_level(logging.INFO):
        project.run(inline=inline)
    assert f'robot "a": its controller ended with exit code 0{advice}' in caplog.messages


@INLINE
@pytest.mark.parametrize(
    ("asked", "taken"),
    [(7, "7 ms; they take 16 ms"), (20, "20 ms; they take 32 ms"), (32, "")],
)
def test_steps_that_are_no_multiple_are_told_once(
    project: Project, caplog: pytest.LogCaptureFixture, inline: bool, asked: int, taken: str
):
    code = f"{HEAD}for _ in range(3):\n    robot.step({asked})\n"
    project.write(robot("a", "short"), short=code)
    outcome = project.run(inline=inline)
    assert outcome.steps == 3 * -(-asked // 16)
    told = [one for one in caplog.messages if "requests steps of" in one]
    start, end = (
        'warning: robot "a": its controller requests steps of',
        "the next multiple of basicTimeStep (16 ms)",
    )
    assert told == ([f"{start} {taken}, {end}"] if taken else [])


def test_an_endless_loop_is_told_with_its_line(project: Project, capfd: pytest.CaptureFixture[str]):
    code = f"{HEAD}robot.step(16)\nwhile True:\n    pass\n"
    project.write(robot("a", "endless"), robot("b", "loop"), endless=code, loop=LOOP)
    outcome = project.run_impatiently()
    assert outcome.status == 1
    said = capfd.readouterr().err
    assert re.fullmatch(r"The program was stopped at endless\.py:[45]\n", said), said


def test_a_controller_that_takes_care_of_its_end_is_not_disturbed(
    project: Project, capfd: pytest.CaptureFixture[str]
):
    code = "import signal, sys\nsignal.signal(signal.SIGTERM, lambda *_: print('bye') or sys.exit(0))\n"
    project.write(robot("a", "endless"), endless=f"{code}{HEAD}robot.step(16)\nwhile True:\n    pass\n")
    project.run_impatiently()
    assert capfd.readouterr() == ("bye\n", "")


@INLINE
def test_an_error_in_a_loop_is_said_ten_times(
    project: Project, capfd: pytest.CaptureFixture[str], inline: bool
):
    """Of each line of the controller; and again in another run of the same process."""
    code = f"{HEAD}m = robot.getDevice('m')\nwhile robot.step(16) != -1:\n    m.setPosition(float('nan'))\n"
    project.write(robot("a", "wrong", children=MOTOR), wrong=code)
    for _ in range(2):
        project.run(30, inline=inline)
        said = capfd.readouterr().err.splitlines()
        text = "Error: wb_motor_set_position() called with an invalid 'position' argument (NaN). (wrong.py:5)"
        assert said == [*[text] * 9, f"{text} This message is not repeated."]


@INLINE
def test_a_motion_that_cannot_be_opened_says_so(
    project: Project, capfd: pytest.CaptureFixture[str], inline: bool
):
    code = (
        "from controller import Motion, Robot\nrobot = Robot()\nmotion = Motion('nowhere')\nmotion.play()\n"
    )
    project.write(robot("a", "wrong"), wrong=f"{code}print(motion.isValid(), motion.isOver())\n")
    project.run(inline=inline)
    out, err = capfd.readouterr()
    assert out == "False False\n"
    assert [one.partition(" (wrong.py:")[2] for one in err.splitlines()] == ["3)", "4)", "5)"]


@INLINE
def test_files_with_the_mark_and_line_ends_of_windows_are_read(
    project: Project, capfd: pytest.CaptureFixture[str], inline: bool
):
    code = "import os\nfrom controller import Motion, Robot\nrobot = Robot()\nprint(os.environ['OF_MINE'])\n"
    code += "print(Motion('a.motion').duration)\n"
    project.write(robot("a", "mine", children=MOTOR))
    for name, text in (
        ("mine.py", code),
        ("a.motion", "#WEBOTS_MOTION,V1.0,m\n00:00:000,A,0\n00:00:100,B,1\n"),
        ("runtime.ini", "; mine\n[environment variables]\nOF_MINE = 7\n"),
    ):
        project.file("mine", name, "\ufeff" + text.replace("\n", "\r\n"))
    project.run(inline=inline)
    assert capfd.readouterr() == ("7\n100\n", "")
