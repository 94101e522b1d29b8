"""Links between controllers and robots that are late, unsteady, and lose messages, in simulated time."""

from __future__ import annotations

import pytest

from tests.controllers.project import STEP_MS, Project, robot, steps
from wbridge.wbcore.controllers.link_quality import LinkQuality, _warn_of_former, split_link
from wbridge.wbcore.scene.overrides import OverrideError

WHEEL = """
HingeJoint {
  jointParameters HingeJointParameters { axis 0 0 1 }
  device [ RotationalMotor { name "motor" maxVelocity 100 } PositionSensor { name "angle" } ]
  endPoint Solid { physics Physics { mass 1 } boundingObject Sphere { radius 0.1 } }
}
"""
TURN = steps(
    40,
    before=f"""
        motor, angle = robot.getDevice("motor"), robot.getDevice("angle")
        angle.enable({STEP_MS})
        motor.setPosition(float("inf"))
        motor.setVelocity(1.0)
    """,
).replace("robot.step(16)", "robot.step(16); print(angle.getValue())")


def angles(project: Project, quality: LinkQuality, inline: bool = True, seed: int = 1) -> list[float]:
    """What the controller reads after each of 40 steps, while the motor turns with 1 rad/s."""
    project.write(robot("a", "turn", children=WHEEL), turn=TURN)
    return [float(one) for one in project.printed(link=quality, inline=inline, seed=seed).split()]


def late(values: list[float]) -> int:
    """By how many steps the readings of a constant speed are behind their time."""
    step = values[-1] - values[-2]
    return round(len(values) - values[-1] / step)


@pytest.mark.parametrize(("latency_ms", "steps_each_way"), [(0.001, 1), (16, 1), (17, 2), (48, 3)])
def test_commands_and_readings_are_late_by_whole_steps(
    project: Project, latency_ms: float, steps_each_way: int
) -> None:
    """Judge: the way there and back, each rounded up to the next step."""
    ideal = angles(project, LinkQuality())
    found = angles(project, LinkQuality(latency_s=latency_ms / 1000))
    assert late(found) - late(ideal) == 2 * steps_each_way


def test_a_process_reads_the_same_as_an_inline_controller(project: Project) -> None:
    quality = LinkQuality(latency_s=0.02, jitter_s=0.03, loss=0.2)
    one, other = (angles(project, quality, inline) for inline in (True, False))
    assert str(one) == str(other)


def test_the_seed_decides_what_is_lost(project: Project) -> None:
    quality = LinkQuality(loss=0.5)
    one, same, other = (angles(project, quality, seed=seed) for seed in (1, 1, 2))
    assert str(one) == str(same) != str(other)


def test_half_of_the_messages_are_lost_and_none_of_their_contents(project: Project) -> None:
    """A reading that is lost repeats the one before; the next one is as new as if none had been lost."""
    ideal, found = (angles(project, LinkQuality(loss=loss), seed=5) for loss in (0.0, 0.5))
    fresh = [i for i in range(1, 40) if found[i] != found[i - 1] and found[i] == found[i]]
    assert 8 < len(fresh) < 32
    moved = ideal[-1] - ideal[-2]
    assert len({round((ideal[i] - found[i]) / moved) for i in fresh}) == 1


SENDS = steps(10, before='emitter = robot.getDevice("emitter")').replace(
    "robot.step(16)", 'emitter.send(b"x"); robot.step(16)'
)
RECEIVES = steps(
    10,
    before='receiver = robot.getDevice("receiver"); receiver.enable(16)',
    after="print(receiver.getQueueLength())",
)


def test_radio_is_not_delayed(project: Project) -> None:
    project.write(
        robot("a", "sends", children='Emitter { name "emitter" }'),
        robot("b", "receives", children='Receiver { name "receiver" }'),
        sends=SENDS,
        receives=RECEIVES,
    )
    ideal, late = (project.printed(link=LinkQuality(one), inline=True) for one in (0.0, 1.0))
    assert int(ideal) == int(late) > 5


def test_pictures_are_not_delayed_which_a_warning_says(
    project: Project, caplog: pytest.LogCaptureFixture
) -> None:
    enables = steps(2, before='robot.getDevice("eye").enable(16)')
    eye = 'Camera { name "eye" width 4 height 4 }'
    project.write(robot("a", "enables", children=eye), enables=enables)
    project.run(link=LinkQuality(0.1), inline=True)
    assert 'link.loss do not affect the pictures of "eye"' in caplog.text


def test_values_have_units() -> None:
    given = {"link.latency": "20ms", "link.jitter": "0.01", "link.loss": "0.05", "BALL.mass": "1"}
    assert split_link(given) == ({"BALL.mass": "1"}, LinkQuality(0.02, 0.01, 0.05))


def test_the_former_name_of_losses_works_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    _warn_of_former.cache_clear()
    for _ in range(2):
        assert split_link({"link.lose": "0.05"}) == ({}, LinkQuality(loss=0.05))
    assert caplog.text.count("link.lose is now named link.loss") == 1


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        ("link.latencey", "1", "did you mean 'latency'"),
        ("link.delay", "1", "link.latency, link.jitter, link.loss"),
        ("link.latency", "20 km", "a time from 0 to 60 s, such as 20ms"),
        ("link.latency", "-1ms", "a time from 0 to 60 s"),
        ("link.loss", "nan", "a fraction from 0 to 0.99"),
        ("link.loss", "1ms", "a fraction from 0 to 0.99"),
    ],
)
def test_wrong_values(place: str, value: str, message: str) -> None:
    with pytest.raises(OverrideError, match=message):
        split_link({place: value})
