"""What is heard and told at once has the bytes, and the effects, of going through it message by message."""

from __future__ import annotations

import logging
import math
import struct
from collections.abc import Callable

import pytest

from tests.devices.rig import Rig

STEP = 32
SLIDES = range(3)


def slide(number: int) -> str:
    """A body that a motor moves along a rail, with a sensor; the second one has noise."""
    noise = "noise 0.1" if number == 1 else ""
    return f"""SliderJoint {{
      jointParameters JointParameters {{ axis 1 0 0 }}
      device [
        LinearMotor {{ name "motor {number}" maxPosition 2 minPosition -2 }}
        PositionSensor {{ name "place {number}" {noise} }}
      ]
      endPoint Solid {{ translation 0 {number} 1 name "body {number}"
        physics Physics {{ density -1 mass 1 }} }}
    }}"""


WORLD = f"""
WorldInfo {{ basicTimeStep 16 }}
Robot {{ children [
  {"".join(map(slide, SLIDES))}
  Accelerometer {{ name "acceleration" }}
  GPS {{ name "gps" }}
  LED {{ name "led" }}
] }}
"""


def use_motors(rig: Rig, step: int) -> None:
    """All motors in each step, now and then something else."""
    for i in SLIDES:
        rig[f"motor {i}"].set_position(math.sin(0.1 * step + i))
    if step % 10 == 7:
        rig["led"].set(step % 2)
        rig["motor 0"].set_velocity(1 + step / 50)
    if step == 30:
        rig["motor 1"].set_position(5)


def use_sensors(rig: Rig, step: int) -> None:
    """Sensors with several periods, which come and go."""
    periods = {0: [STEP] * 3, 12: [STEP, 64, 48], 20: [0, STEP, STEP], 33: [16, 16, 16]}
    if step in periods:
        for i in SLIDES:
            rig[f"place {i}"].enable(periods[step][i])
    if step in (15, 25, 35):
        rig["acceleration"].enable(STEP if step != 35 else 0)
    if step == 28:
        rig["gps"].enable(STEP)
    if step == 38:
        rig["gps"].enable(0)


def packets(rig: Rig, act: Callable[[Rig, int], None], resets_at: int = -1) -> list[bytes]:
    """All packets that the controller gets in 60 steps."""
    session = rig.lockstep.sessions[0]
    heard: list[bytes] = []
    put = session.send

    def send(data: bytes) -> None:
        heard.append(data)
        put(data)

    session.send = send
    for step in range(60):
        act(rig, step)
        if step == resets_at:
            rig.simulation.reset()
            rig.lockstep.restart_time()
        rig.client.step(STEP)
    return heard


def whole(rig: Rig) -> Rig:
    """A rig whose robot goes through all messages, as somebody listens."""
    rig.robot.observer = lambda tag, name, values: None
    return rig


@pytest.mark.parametrize("resets_at", [-1, 17])
def test_answers_have_the_same_bytes(resets_at: int):
    def act(rig: Rig, step: int) -> None:
        use_motors(rig, step)
        use_sensors(rig, step)

    short, long = Rig(WORLD), whole(Rig(WORLD))
    assert packets(short, act, resets_at) == packets(long, act, resets_at)
    assert short.simulation.hash() == long.simulation.hash()


def test_a_field_that_changes_is_followed():
    def act(rig: Rig, step: int) -> None:
        use_motors(rig, step)
        if step == 0:
            for i in SLIDES:
                rig[f"place {i}"].enable(STEP)
        if step == 20:
            sensor = rig.model("place 0")
            rig.simulation.set_field(sensor.node, "resolution", 0.25)

    heard = packets(Rig(WORLD), act)
    assert heard == packets(whole(Rig(WORLD)), act)
    (value,) = struct.unpack_from("<d", heard[40], 8 + 11 + 3)
    assert value % 0.25 == 0


def test_bad_values_are_told_and_the_others_are_taken(caplog: pytest.LogCaptureFixture):
    rig = Rig(WORLD)
    for step in range(5):
        use_motors(rig, step)
        rig.client.step(STEP)
    for i in SLIDES:
        rig.queue_for(
            f"motor {i}", "set_position", math.nan if i == 1 else 0.5
        )  # past the client's own check
    with caplog.at_level(logging.WARNING):
        rig.client.step(STEP)
    assert '"motor 1": set_position: ' in caplog.text
    targets = [rig.model(f"motor {i}").engine.target_position for i in SLIDES]
    assert targets == [0.5, pytest.approx(math.sin(0.4 + 1)), 0.5]


def test_a_value_that_is_cut_is_told_once(caplog: pytest.LogCaptureFixture):
    rig = Rig(WORLD)
    with caplog.at_level(logging.WARNING):
        for _ in range(5):
            for i in SLIDES:
                rig[f"motor {i}"].set_position(7.0)
            rig.client.step(STEP)
    assert caplog.text.count("is clipped to minPosition and maxPosition") == len(SLIDES)
    assert caplog.text.count("; this warning is shown once") == len(SLIDES)
    assert rig.model("motor 2").engine.target_position == 2.0


def test_a_limit_as_a_number_of_32_bits_is_no_mistake(caplog: pytest.LogCaptureFixture):
    """Controllers with arrays send 0.1 as 0.10000000149; a warning would say that 0.1 is clipped to 0.1."""
    rig = Rig(WORLD)
    motor = rig["motor 0"]
    limit = rig.model("motor 0").engine.max_velocity
    with caplog.at_level(logging.WARNING):
        motor.set_velocity(limit * (1 + 2**-25))
        rig.client.step(STEP)
        assert "is clipped" not in caplog.text
        motor.set_velocity(limit * 1.001)
        rig.client.step(STEP)
        assert "velocity" in caplog.text and "is clipped to maxVelocity" in caplog.text
