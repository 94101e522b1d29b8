"""Keyboard, mouse and joystick: what a program injects is what controllers sample."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from tests.devices.rig import STEP_MS, Rig, robot, world
from wbridge.wbcore.robots.user import User


@pytest.fixture
def rig(drive: Callable[..., Rig]) -> Rig:
    return drive(world(robot("")))


def user(rig: Rig) -> User:
    return rig.simulation.robots.user


def keys(rig: Rig) -> list[int]:
    found = []
    while (key := rig.client.keyboard.get_key()) != -1:
        found.append(key)
    return found


def test_keys_come_with_the_sample(rig: Rig):
    rig.client.keyboard.enable(2 * STEP_MS)
    user(rig).keyboard.press("a")
    user(rig).keyboard.press("up")
    rig.step()
    assert keys(rig) == []
    rig.step()
    assert keys(rig) == [ord("A"), 315]
    assert keys(rig) == []
    user(rig).keyboard.release("A")
    rig.step(2)
    assert keys(rig) == [315]
    user(rig).keyboard.release_all()
    rig.step(2)
    assert keys(rig) == []


def test_keys_bear_the_flags_that_are_down_with_them(rig: Rig):
    rig.client.keyboard.enable(STEP_MS)
    user(rig).keyboard.press("a", shift=True)
    user(rig).keyboard.press(314, control=True, alt=True)
    rig.step()
    assert keys(rig) == [ord("A") + 0x10000, 314 + 0x20000 + 0x40000]


def test_seven_keys_are_told(rig: Rig):
    rig.client.keyboard.enable(STEP_MS)
    for key in "ABCDEFGHI":
        user(rig).keyboard.press(key)
    rig.step()
    assert keys(rig) == [ord(key) for key in "ABCDEFG"]


def test_a_keyboard_that_is_off_is_not_sampled(rig: Rig):
    user(rig).keyboard.press("A")
    rig.step(3)
    assert rig.client.keyboard.get_key() == -1


def test_an_unknown_key_is_said_with_the_nearest_one(rig: Rig):
    with pytest.raises(ValueError, match=r'no key "pageupp"; did you mean .PAGEUP.'):
        user(rig).keyboard.press("pageupp")
    with pytest.raises(ValueError, match="allowed: 1 to 65535"):
        user(rig).keyboard.press(0)


def test_the_mouse_has_buttons_and_a_place(rig: Rig):
    rig.client.mouse.enable(STEP_MS)
    rig.step()
    assert math.isnan(rig.client.mouse.get_state().u)
    user(rig).mouse.move(0.25, 0.75, (1, 2, 3))
    user(rig).mouse.press("right")
    rig.step()
    state = rig.client.mouse.get_state()
    assert (state.u, state.v, state.left, state.right) == (0.25, 0.75, False, True)
    assert math.isnan(state.x)
    rig.client.mouse.enable_3d_position()
    rig.step()
    state = rig.client.mouse.get_state()
    assert (state.x, state.y, state.z) == (1, 2, 3)
    user(rig).mouse.release("right")
    user(rig).mouse.leave()
    rig.step()
    assert math.isnan(rig.client.mouse.get_state().v)
    assert not rig.client.mouse.get_state().right


def test_the_mouse_stays_in_the_view(rig: Rig):
    with pytest.raises(ValueError, match="outside of the view"):
        user(rig).mouse.move(1.1, 0)
    with pytest.raises(ValueError, match="allowed: left, middle, right"):
        user(rig).mouse.press("fourth")


def test_without_a_joystick_none_is_connected(rig: Rig):
    rig.client.joystick.enable(STEP_MS)
    rig.step()
    assert not rig.client.joystick.is_connected()


def test_a_joystick_has_axes_hats_and_buttons(rig: Rig):
    stick, joystick = user(rig).joystick, rig.client.joystick
    stick.plug("Pad", axes=2, buttons=3, povs=1)
    joystick.enable(STEP_MS)
    stick.move(1, -32768)
    stick.push(0, 5)
    stick.press(2)
    rig.step()
    assert joystick.is_connected()
    assert (joystick.get_model(), joystick.get_number_of_axes()) == ("Pad", 2)
    assert [joystick.get_axis_value(one) for one in (0, 1)] == [0, -32768]
    assert joystick.get_pov_value(0) == 5
    assert [joystick.get_pressed_button() for _ in range(2)] == [2, -1]
    stick.release(2)
    rig.step()
    assert joystick.get_pressed_button() == -1


def test_a_joystick_may_come_and_go(rig: Rig):
    joystick = rig.client.joystick
    joystick.enable(STEP_MS)
    rig.step()
    user(rig).joystick.plug("Pad", axes=1)
    rig.step()
    assert joystick.is_connected()
    user(rig).joystick.unplug()
    rig.step()
    assert not joystick.is_connected()


@pytest.mark.parametrize(
    ("method", "values"),
    [("move", (2, 0)), ("move", (0, 40000)), ("push", (0, 1)), ("press", (0,)), ("plug", ("Pad", 0))],
)
def test_what_a_joystick_lacks_cannot_be_used(rig: Rig, method: str, values: tuple[Any, ...]):
    stick = user(rig).joystick
    stick.plug("Pad", axes=2)
    with pytest.raises(ValueError, match="allowed: axes 0 to 1|; the joystick has 0|joystick with 0 axes"):
        getattr(stick, method)(*values)


def test_forces_are_kept_and_nonsense_is_refused(rig: Rig):
    rig.client.joystick.set_constant_force(7)
    rig.client.joystick.set_resistance_gain(0.5)
    rig.step()
    part: Any = rig.robot.part("inputs")
    assert part.forces == {"force": 7, "resistance_gain": 0.5}
    with pytest.raises(ValueError, match="the resistance_gain is nan; allowed: finite numbers"):
        part.on_joystick_resistance_gain(math.nan)


def test_two_robots_have_the_same_user(drive: Callable[..., Rig]):
    rig = drive(world(robot("", name="one") + robot("", name="two")))
    two = rig.connect("two")
    rig.client.keyboard.enable(STEP_MS)
    two.keyboard.enable(STEP_MS)
    user(rig).keyboard.press("A")
    rig.step()
    assert (rig.client.keyboard.get_key(), two.keyboard.get_key()) == (65, 65)


def test_a_reset_samples_at_once(rig: Rig):
    rig.client.keyboard.enable(10 * STEP_MS)
    rig.step()
    user(rig).keyboard.press("A")
    rig.simulation.reset()
    rig.step()
    assert keys(rig) == [65]


class Bell:
    """A clock that presses a key when it is looked at for the third time."""

    def __init__(self, rig: Rig, key: str) -> None:
        self.rig, self.key, self.looks, self.now = rig, key, 0, 0.0

    def __call__(self) -> float:
        self.looks += 1
        self.now += 0.01
        if self.looks == 3:
            user(self.rig).keyboard.press(self.key)
        return self.now


def test_waiting_ends_with_the_event_and_brings_the_state(rig: Rig):
    part: Any = rig.robot.part("inputs")
    part.clock = Bell(rig, "B")
    rig.client.keyboard.enable(STEP_MS)
    assert rig.client.wait_for_user_input_event(4, 60_000) == 4
    assert keys(rig) == [ord("B")]
    assert rig.simulation.steps == 0


def test_waiting_ends_with_the_time(rig: Rig):
    part: Any = rig.robot.part("inputs")
    part.clock = Bell(rig, "B")
    assert rig.client.wait_for_user_input_event(1, 50) == 0
    assert part.clock.now >= 0.05
    assert rig.client.wait_for_user_input_event(1, 0) == 0


def test_waiting_for_no_event_sleeps_for_the_timeout(rig: Rig):
    """Manual, chapter Robot: EVENT_NO_EVENT makes the controller sleep and pauses the simulation."""
    part: Any = rig.robot.part("inputs")
    part.clock = Bell(rig, "B")
    rig.client.keyboard.enable(STEP_MS)
    assert rig.client.wait_for_user_input_event(0, 500) == 0
    assert part.clock.now >= 0.5
    assert rig.simulation.steps == 0


def test_waiting_for_nothing_known_is_refused(rig: Rig):
    part: Any = rig.robot.part("inputs")
    with pytest.raises(ValueError, match="mask 64 contains no known event"):
        part.on_wait_for_event(64, 10)
    assert part.time_left is None


def test_a_key_that_is_tapped_between_two_samples_is_seen_once(rig: Rig):
    """Each press is seen for a step at least, however long steps are; held keys come first."""
    rig.client.keyboard.enable(2 * STEP_MS)
    keyboard = user(rig).keyboard
    keyboard.press("up")
    rig.step(2)
    keyboard.press("b", shift=True)
    keyboard.release("b")
    keyboard.press("a")
    keyboard.release_all()
    rig.step(2)
    assert keys(rig) == [ord("B") + 0x10000, ord("A")]
    rig.step(2)
    assert keys(rig) == []


def test_keys_of_the_time_before_the_keyboard_was_enabled_are_past(rig: Rig):
    keyboard = user(rig).keyboard
    keyboard.press("a")
    keyboard.release("a")
    rig.client.keyboard.enable(STEP_MS)
    rig.step(2)
    assert keys(rig) == []
    rig.client.keyboard.disable()
    rig.step()
    keyboard.press("a")
    keyboard.release("a")
    rig.step()
    rig.client.keyboard.enable(STEP_MS)
    rig.step(2)
    assert keys(rig) == []


def test_clicks_and_buttons_of_a_joystick_are_seen_once(rig: Rig):
    rig.client.mouse.enable(STEP_MS)
    rig.client.joystick.enable(STEP_MS)
    mouse, stick = user(rig).mouse, user(rig).joystick
    stick.plug("Pad", buttons=4)
    rig.step()
    for one in (2, 1):
        stick.press(one)
        stick.release(one)
    mouse.press("left")
    mouse.release("left")
    rig.step()
    joystick = rig.client.joystick
    assert [joystick.get_pressed_button() for _ in range(3)] == [2, 1, -1]
    assert (rig.client.mouse.get_state().left, rig.client.mouse.get_state().right) == (True, False)
    rig.step()
    assert joystick.get_pressed_button() == -1
    assert not rig.client.mouse.get_state().left


def test_a_short_push_of_a_hat_is_seen_once(rig: Rig):
    """Manual, Joystick: a sample tells what happened until it, with pushes that have ended."""
    joystick, stick = rig.client.joystick, user(rig).joystick
    joystick.enable(STEP_MS)
    stick.plug("Pad", povs=2)
    rig.step()
    seen = []
    for directions in ((), (1, 0), (4, 8, 0), (2,), (2,), (0,)):
        for value in directions:
            stick.push(1, value)
        rig.step()
        seen.append([joystick.get_pov_value(0), joystick.get_pov_value(1)])
    assert seen == [[0, 0], [0, 1], [0, 8], [0, 2], [0, 2], [0, 0]]


def test_pushes_of_a_hat_before_the_joystick_was_enabled_are_past(rig: Rig):
    stick = user(rig).joystick
    stick.plug("Pad", povs=1)
    stick.push(0, 1)
    stick.push(0, 0)
    rig.client.joystick.enable(STEP_MS)
    rig.step()
    assert rig.client.joystick.get_pov_value(0) == 0
