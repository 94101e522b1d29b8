"""A DC motor: it turns slowly both ways; its encoder, if it has one, tells how fast."""

from __future__ import annotations

from wbridge.wbfirmware.bringup.device_test import DeviceTest
from wbridge.wbfirmware.map.hardware import Wiring

ORDER = 2
SLOW, SECONDS, START = 0.25, 2.0, 0.5
"""Part of the full speed; how long it turns, in s; s until the speed is measured."""
LEAST = 0.02
"""Part of the commanded speed below which the encoder does not count."""
TOLERANCE = 0.05
"""Relative error of full_speed that is not corrected."""
WAYS = {"f": "forward", "b": "backward", "n": "not at all", "r": "repeat"}


def run(test: DeviceTest) -> str:
    """Ask which way the motor turns, and compare its encoder."""
    encoder = _encoder(test)
    share, answer = SLOW, "r"
    while answer in "nr":
        speed = share * test.value("full_speed")
        measured = _turn(test, encoder, speed)
        answer = test.dialog.ask("Which way did it turn?", WAYS)
        if answer == "n" and share >= 1:
            return test.failed("it does not turn: check its supply, its pins, and the motor driver")
        share = min(1.0, 2 * share) if answer == "n" else share
    if answer == "b":
        test.dialog.say("Its direction pins are exchanged.")
        test.swap("forward", "backward")
    back = _turn(test, encoder, -speed)
    other = test.dialog.ask("And now, which way did it turn?", {key: WAYS[key] for key in "fbn"})
    if {answer, other} != {"f", "b"}:
        pins = f"{test.value('forward')} and {test.value('backward')}"
        return test.failed(f"it does not turn both ways: check the direction pins {pins}")
    if encoder is not None:
        return _compare(test, encoder, speed, (measured - back) / 2 * (1 if answer == "f" else -1))
    return test.done()


def _encoder(test: DeviceTest) -> Wiring | None:
    """Return the encoder of the motor's axis, if it is on the board."""
    tag = test.device.constants.get("positionSensor")
    return next(
        (
            wiring
            for wiring in test.hardware.wirings
            if wiring.device.tag == tag and wiring.driver.name == "quadrature_encoder"
        ),
        None,
    )


def _turn(test: DeviceTest, encoder: Wiring | None, velocity: float) -> float:
    """Let the motor turn, then stop it; return the velocity by the encoder, 0 without one."""
    test.dialog.say(f"It turns at {abs(velocity):.3g} {test.unit}/s for {SECONDS:g} s.")
    robot = test.robot
    if encoder is not None:
        robot.enable(encoder.device)
    robot.turn(test.device, velocity)
    robot.run(START)
    start, start_ms = _position(test, encoder), robot.time_ms
    robot.run(SECONDS - START)
    end, end_ms = _position(test, encoder), robot.time_ms
    robot.turn(test.device, 0.0)
    robot.run(START)
    return (end - start) * 1000 / max(1, end_ms - start_ms)


def _position(test: DeviceTest, encoder: Wiring | None) -> float:
    """Return the position by the encoder as it will be with all corrections."""
    if encoder is None:
        return 0.0
    read = test.robot.reading(encoder.device, "position")
    return 0.0 if read is None else float(read) * test.factors.get(encoder.device.name, 1.0)


def _compare(test: DeviceTest, encoder: Wiring, commanded: float, measured: float) -> str:
    """Correct the direction of the encoder, and full_speed."""
    name = encoder.device.name
    if abs(measured) < LEAST * commanded:
        pins = f"{encoder.values['a']} and {encoder.values['b']}"
        return test.failed(f'its encoder "{name}" does not count: check {pins} and its supply')
    if measured < 0:
        test.dialog.say(f'Its encoder "{name}" counts backward: its tracks are exchanged.')
        if test.factors.get(name, 1.0) < 0:
            return test.failed(f'its encoder "{name}" counted the other way by hand; test both again')
        test.swap("a", "b", encoder)
        test.factors[name] = -test.factors.get(name, 1.0)
    full = float(f"{test.value('full_speed') * abs(measured) / commanded:.4g}")
    if abs(full / test.value("full_speed") - 1) <= TOLERANCE or test.value("least_duty"):
        return test.done()
    limit = test.device.constants.get("maxVelocity", 0.0)
    if full < limit:
        test.dialog.say(
            f"Its full speed is {full:g} {test.unit}/s, less than its maxVelocity of {limit:g} in the world: "
            "lower that in the world, then test again."
        )
    elif test.yes(f"It turned at {abs(measured):.3g} {test.unit}/s: write full_speed = {full:g}?"):
        test.change("full_speed", full)
    return test.done()
