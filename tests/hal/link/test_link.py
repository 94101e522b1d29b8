"""Both ends together: steps, sessions, watchdog, refusals, large messages."""

import math

import pytest

from tests.hal.link.conftest import ROVER, Bench, make_table
from tests.hal.link.test_slow_line import SlowPipe
from wbridge.hal.link import messages as m
from wbridge.hal.link.errors import (
    ConnectionLost,
    MessageError,
    Refused,
    RobotBusy,
    TableMismatch,
    WrongVersion,
)
from wbridge.hal.link.pipe import VirtualClock
from wbridge.hal.link.slave import Slave, SlaveOptions
from wbridge.hal.link.values import Packet


def test_a_step_carries_commands_there_and_samples_back(bench: Bench):
    bench.robot.values["ds.value"] = 42.5
    bench.master.set(bench.channel("left motor", "velocity"), 3.0)
    bench.master.set_period(bench.slot("ds"), 32)
    first, second = bench.master.step(16, 1.0), bench.master.step(16, 1.0)
    assert first and second
    assert bench.robot.commands == [("left motor.velocity", 3.0)]
    assert (first.values, first.time) == ([], 16)
    assert second.values == [(bench.channel("ds", "value"), 42.5)]
    assert second.time == 32


@pytest.mark.parametrize(("period", "steps"), [(16, [1, 2, 3, 4, 5, 6]), (32, [2, 4, 6]), (40, [3, 5])])
def test_samples_come_with_their_period(bench: Bench, period: int, steps: list[int]):
    bench.robot.values["ds.value"] = 1.0
    bench.master.set_period(bench.slot("ds"), period)
    found = [bench.master.step(16, 1.0) for _ in range(6)]
    assert [k + 1 for k, step in enumerate(found) if step and step.values] == steps


def test_a_sensor_that_is_switched_off_is_silent(bench: Bench):
    bench.robot.values["ds.value"] = 1.0
    bench.master.set_period(bench.slot("ds"), 16)
    bench.master.step(16, 1.0)
    bench.master.set_period(bench.slot("ds"), 0)
    step = bench.master.step(16, 1.0)
    assert step and step.values == []
    assert bench.robot.periods["ds"] == 0


def test_channels_with_one_period_come_together_and_absent_values_do_not(bench: Bench):
    bench.robot.values |= {"gps.position": (1.0, 2.0, 3.0), "gps.velocity": (0.0, 0.5, 0.0)}
    bench.master.set_period(bench.slot("gps"), 16)
    step = bench.master.step(16, 1.0)
    assert step and [(c.name, v) for c, v in step.values] == [
        ("position", (1.0, 2.0, 3.0)),
        ("velocity", (0.0, 0.5, 0.0)),
    ]


def test_events_come_when_they_happen(bench: Bench):
    bench.master.step(16, 1.0)
    bench.robot.waiting = [(bench.channel("ear", "packets"), [Packet(1, b"hi")])]
    step = bench.master.step(16, 1.0)
    assert step and step.values == [(bench.channel("ear", "packets"), [Packet(1, b"hi")])]


def test_unchanged_values_are_not_said_again(bench: Bench):
    left, right = bench.channel("left motor", "velocity"), bench.channel("right motor", "velocity")
    for value in (1.0, 1.0, 2.0):
        bench.master.set(left, value)
        bench.master.set(right, 5.0)
        bench.master.step(16, 1.0)
    assert bench.robot.commands == [
        *[("left motor.velocity", 1.0), ("right motor.velocity", 5.0)],
        ("left motor.velocity", 2.0),
    ]


def test_a_robot_whose_time_is_simulated_is_told_what_is_commanded_again():
    """There each command wakes what rests; what nobody commands again is not said."""
    bench = Bench(options=SlaveOptions(virtual=True))
    left, right = bench.channel("left motor", "velocity"), bench.channel("right motor", "velocity")
    bench.master.connect(1.0)
    bench.master.set(right, 5.0)
    for _ in range(3):
        bench.master.set(left, 1.0)
        bench.master.step(16, 1.0)
    assert bench.robot.commands == [("right motor.velocity", 5.0), *[("left motor.velocity", 1.0)] * 3]


def test_of_several_values_between_two_steps_the_last_one_counts(bench: Bench):
    """Even when it is the one that the robot has been told already."""
    left = bench.channel("left motor", "velocity")
    for values in ((1.0,), (2.0, 1.0)):
        for value in values:
            bench.master.set(left, value)
        bench.master.step(16, 1.0)
    assert bench.robot.state["left motor.velocity"] == 1.0
    assert ("left motor.velocity", 2.0) not in bench.robot.commands


def test_a_motor_s_commands_keep_their_order_even_when_a_value_returns(bench: Bench):
    position, force = bench.channel("left motor", "position"), bench.channel("left motor", "force")
    for channel, value in ((position, 1.0), (force, 0.5), (position, 1.0)):
        bench.master.set(channel, value)
        bench.master.step(16, 1.0)
    assert [label for label, _ in bench.robot.commands] == [
        *["left motor.position", "left motor.force", "left motor.position"]
    ]


def test_every_packet_of_a_stream_is_delivered_once(bench: Bench):
    radio = bench.channel("radio", "packets")
    for _ in range(3):
        bench.master.set(radio, [Packet(1, b"same")])
    bench.master.step(16, 1.0)
    bench.master.step(16, 1.0)
    assert len(bench.robot.commands) == 3


@pytest.mark.parametrize("value", [math.nan, "fast", (1.0, 2.0)])
def test_a_wrong_value_is_refused_where_it_is_set(bench: Bench, value: object):
    with pytest.raises(MessageError, match=r"left motor\.velocity"):
        bench.master.set(bench.channel("left motor", "velocity"), value)
    assert bench.master.step(16, 1.0)


def test_a_sensor_cannot_be_set(bench: Bench):
    with pytest.raises(MessageError, match="is read, not set"):
        bench.master.set(bench.channel("ds", "value"), 1.0)


@pytest.mark.parametrize("elapsed", [-1, 65536])
def test_a_step_out_of_range_is_refused(bench: Bench, elapsed: int):
    with pytest.raises(MessageError, match="0 to 65535"):
        bench.master.step(elapsed, 1.0)


# Sessions and safety.


def test_the_robot_stops_when_its_controller_is_silent(bench: Bench):
    bench.master.set(bench.channel("left motor", "velocity"), 3.0)
    bench.master.step(16, 1.0)
    bench.sleep(0.499)
    assert bench.robot.stops == 0
    bench.sleep(0.002)
    assert (bench.robot.stops, bench.robot.state, bench.slave.driven) == (1, {}, False)


def test_a_late_controller_comes_back_with_its_full_state(bench: Bench):
    bench.robot.values["ds.value"] = 7.0
    bench.master.set(bench.channel("left motor", "velocity"), 3.0)
    bench.master.set_period(bench.slot("ds"), 16)
    bench.master.step(16, 1.0)
    bench.sleep(1.0)
    step = bench.master.step(16, 1.0)
    assert bench.robot.state == {"left motor.velocity": 3.0}
    assert step and step.values == [(bench.channel("ds", "value"), 7.0)]
    assert bench.master.sessions == 2


def test_a_pulled_cable_stops_the_motors_and_plugging_it_in_starts_them(bench: Bench):
    bench.master.set(bench.channel("left motor", "velocity"), 3.0)
    bench.master.step(16, 1.0)
    start = bench.clock.now
    bench.plugged = False
    while not bench.robot.stops:
        assert bench.master.step(16, 0.016) is None
    assert bench.clock.now - start <= 0.5 + 0.05
    bench.plugged = True
    assert bench.master.step(16, 1.0)
    assert bench.robot.state == {"left motor.velocity": 3.0}


def test_a_repeated_request_does_not_feed_the_watchdog(bench: Bench):
    bench.master.connect(1.0)
    request = m.encode(m.Request(m.ENABLE, bench.slave.session, 1, 16, 500))
    for _ in range(6):
        answer = bench.slave.receive(request, 1000 * bench.clock.now)
        bench.sleep(0.1)
    assert answer and isinstance(m.decode(answer), m.Reply)
    assert not bench.slave.driven


def test_disabling_stops_the_robot_and_enabling_says_all_again(bench: Bench):
    bench.master.set(bench.channel("left motor", "velocity"), 3.0)
    bench.master.step(16, 1.0)
    bench.master.enabled = False
    bench.master.set(bench.channel("left motor", "velocity"), 4.0)
    bench.master.step(16, 1.0)
    assert (bench.robot.stops, bench.robot.state) == (1, {})
    bench.master.enabled = True
    bench.master.step(16, 1.0)
    assert bench.robot.state == {"left motor.velocity": 4.0}


def test_leaving_stops_the_robot_and_frees_it(bench: Bench):
    bench.master.step(16, 1.0)
    assert bench.master.leave(1.0)
    assert (bench.robot.stops, bench.slave.driven) == (1, False)
    assert bench.controller().step(16, 1.0)


def test_a_second_controller_is_refused_and_does_no_harm(bench: Bench):
    bench.master.set(bench.channel("left motor", "velocity"), 3.0)
    bench.master.step(16, 1.0)
    second = bench.controller()
    second.set(bench.channel("left motor", "velocity"), -3.0)
    with pytest.raises(RobotBusy, match="another controller drives it"):
        second.connect(1.0)
    assert bench.robot.state == {"left motor.velocity": 3.0}
    assert bench.master.step(16, 1.0)
    assert bench.master.sessions == 1


def test_a_robot_with_another_table_is_refused_by_both_names_and_a_command(bench: Bench):
    other = bench.controller(make_table(("left motor", "RotationalMotor")))
    with pytest.raises(TableMismatch) as error:
        other.connect(1.0)
    text = str(error.value)
    for part in ('"wbridge"', '"controller"', ROVER.short_hash, "wbridge firmware flash"):
        assert part in text
    assert not bench.slave.driven


def test_another_version_is_refused(bench: Bench, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("wbridge.hal.link.master.VERSION", 9)
    with pytest.raises(WrongVersion, match="it speaks 1"):
        bench.master.connect(1.0)


def test_a_robot_that_is_silent_is_told(bench: Bench):
    bench.plugged = False
    with pytest.raises(ConnectionLost, match=r"within 2 s"):
        bench.master.connect(2.0)


def test_attempts_to_connect_back_off(bench: Bench):
    times = []

    def fail():
        times.append(bench.clock.now)
        raise ConnectionLost("no such port")

    bench.master._open = fail
    with pytest.raises(ConnectionLost, match="no such port"):
        bench.master.connect(30.0)
    waits = [round(b - a, 3) for a, b in zip(times, times[1:], strict=False)]
    assert waits[:7] == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0]
    assert set(waits[7:-1]) == {5.0}


def test_a_step_without_a_robot_takes_its_time_and_no_more(bench: Bench):
    bench.plugged = False
    assert bench.master.step(32, 0.032) is None
    assert bench.clock.now == pytest.approx(0.032, abs=0.06)


def test_the_sequence_wraps(bench: Bench):
    bench.master.step(1, 1.0)
    bench.master._sequence = bench.slave.sequence = 0xFFFE
    assert all(bench.master.step(1, 1.0) for _ in range(4))
    assert bench.slave.sequence == 2


def test_a_session_number_is_never_0(bench: Bench):
    bench.master._session = 0xFFFF
    bench.master.step(1, 1.0)
    assert bench.slave.session == 1


# Sizes.


def test_a_small_robot_gets_small_messages_and_the_state_is_taken_at_once():
    bench = Bench(options=SlaveOptions(real=4, request_limit=32, reply_limit=48))
    labels = []
    for device in ("left motor", "right motor"):
        for name in ("position", "velocity", "acceleration"):
            bench.master.set(bench.channel(device, name), 2.0)
            labels.append(f"{device}.{name}")
    bench.robot.values |= {"imu.acceleration": (0.0, 0.0, 9.75), "gps.position": (1.0, 2.0, 4.0)}
    bench.robot.values |= {"gps.speed": 0.5, "gps.velocity": (0.5, 0.0, 0.0), "ds.value": 3.0}
    for device in ("imu", "gps", "ds"):
        bench.master.set_period(bench.slot(device), 16)
    step = bench.master.step(16, 1.0)
    assert [label for label, _ in bench.robot.commands] == labels
    assert step and {channel.label: value for channel, value in step.values} == bench.robot.values
    assert bench.robot.now == 16


def test_a_command_that_is_too_large_is_an_error_and_what_fits_is_not_lost():
    bench = Bench(options=SlaveOptions(request_limit=64))
    bench.master.set(bench.channel("led", "value"), 1)
    bench.master.set(bench.channel("radio", "packets"), [Packet(1, b"x" * 100)])
    with pytest.raises(MessageError, match=r"radio\.packets: a command is larger than the 50 bytes"):
        bench.master.step(16, 1.0)
    assert bench.master.step(16, 1.0)
    with pytest.raises(MessageError, match=r"radio\.packets"):
        bench.master.set(bench.channel("radio", "packets"), [Packet(1, b"x" * 100)])
    assert bench.master.step(16, 1.0)
    assert bench.robot.state == {"led.value": 1}


def test_an_event_that_is_too_large_is_told():
    bench = Bench(options=SlaveOptions(reply_limit=64))
    bench.robot.waiting = [(bench.channel("ear", "packets"), [Packet(1, b"x" * 100)])]
    step = bench.master.step(16, 1.0)
    assert step and step.lost
    step = bench.master.step(16, 1.0)
    assert step and not step.lost


def test_a_robot_whose_messages_are_too_small_for_a_sensor_is_refused_when_it_is_made():
    with pytest.raises(MessageError, match=r"imu\.acceleration takes 26 bytes"):
        Slave(ROVER, Bench().robot, SlaveOptions(reply_limit=40))


def test_a_step_that_takes_its_time_is_answered_when_it_is_done(bench: Bench):
    bench.robot.step = lambda elapsed: False  # type: ignore[method-assign]
    bench.master.connect(1.0)
    request = m.encode(m.Request(m.ENABLE, bench.slave.session, 1, 16, 500))
    assert bench.slave.receive(request, 0.0) is None
    assert bench.slave.receive(request, 9999.0) is None, "a repetition is no second step, and no silence"
    answer = bench.slave.finish(delay=3)
    assert answer and m.decode(answer).delay == 3
    assert bench.slave.finish() is None
    assert bench.slave.receive(request, 9999.0) == answer


# Robots and controllers that misbehave.


def test_a_request_that_cannot_be_understood_is_refused_as_a_whole(bench: Bench):
    bench.master.connect(1.0)
    good = m.encode_sample(bench.channel("left motor", "velocity"), 1.0, 8)
    for bad in (b"\xff", b"\xff\x7f" + bytes(8), good[:-1]):
        message = m.encode(m.Request(m.ENABLE, bench.slave.session, 1, 16, 500, good + bad))
        answer = bench.slave.receive(message, 0.0)
        assert answer and m.decode(answer).reason == m.REFUSED_MESSAGE
    assert (bench.robot.commands, bench.robot.now) == ([], 0)


def test_nan_is_refused_by_the_robot_too(bench: Bench):
    bench.master.connect(1.0)
    entry = m.encode_sample(bench.channel("left motor", "velocity"), math.nan, 8)
    answer = bench.slave.receive(m.encode(m.Request(m.ENABLE, bench.slave.session, 1, 16, 500, entry)), 0.0)
    assert answer and m.decode(answer).reason == m.REFUSED_MESSAGE
    assert bench.robot.commands == []


def test_a_watchdog_time_of_0_is_refused_at_both_ends(bench: Bench):
    hello = m.Hello(m.VERSION, 1, 1, 0, bench.numbering.hash, "")
    answer = bench.slave.receive(m.encode(hello), 0.0)
    assert answer and m.decode(answer).reason == m.REFUSED_MESSAGE
    with pytest.raises(MessageError, match="1 to 10000"):
        bench.controller(watchdog=0)


def test_an_old_hello_does_not_end_a_session(bench: Bench):
    old = m.encode(m.Hello(m.VERSION, 10, 5, 500, bench.numbering.hash, ""))
    new = m.encode(m.Hello(m.VERSION, 11, 5, 500, bench.numbering.hash, ""))
    for message in (old, new, old, new):
        bench.slave.receive(message, 0.0)
    assert bench.slave.session == 11
    assert bench.robot.stops == 1


def test_an_old_request_of_the_session_does_nothing(bench: Bench):
    bench.master.connect(1.0)
    requests = [m.encode(m.Request(m.ENABLE, bench.slave.session, k, 16, 500)) for k in (1, 2, 3)]
    for message in (*requests, requests[0], requests[1]):
        bench.slave.receive(message, 0.0)
    assert bench.robot.now == 48


def test_a_robot_whose_answers_make_no_sense_is_an_error(bench: Bench):
    bench.master.step(16, 1.0)
    bench.slave._encoded_reply = lambda *rest: m.encode(  # type: ignore[method-assign]
        m.Reply(0, bench.slave.session, bench.slave.sequence, 0, 0, b"\xff\x7f")
    )
    with pytest.raises(MessageError):
        bench.master.step(16, 1.0)
    assert not bench.master.connected


def test_a_refused_request_names_what_may_be_wrong(bench: Bench):
    bench.master.step(16, 1.0)
    bench.slave._entries = lambda request: None  # type: ignore[method-assign]
    with pytest.raises(Refused, match="does not understand the message"):
        bench.master.step(16, 1.0)


# The table.


def test_a_robot_shows_its_table_in_parts():
    bench = Bench(options=SlaveOptions(reply_limit=100))
    text, total = b"", 1
    while len(text) < total:
        answer = bench.slave.receive(m.encode(m.ReadTable(5, len(text))), 0.0)
        part = m.decode(answer or b"")
        assert (part.session, part.offset) == (5, len(text))
        text, total = text + part.data, part.total
    assert text.decode() == ROVER.canonical()


def test_a_robot_that_does_not_carry_its_table_says_so():
    slave = Bench(options=SlaveOptions(shows_table=False)).slave
    assert m.decode(slave.receive(m.encode(m.ReadTable(5, 0)), 0.0) or b"").total == 0


class PromptPipe(SlowPipe):
    """The robot answers at once, and the answer is under way from then on."""

    def send(self, data: bytes) -> None:
        super().send(data)
        while (answer := self._pipe.receive(0.0)) is not None:
            self._coming.append((self._clock.now + self._delay, answer))


def test_steps_of_many_robots_go_together():
    """Each answer takes 10 ms: one after the other ten robots need 100 ms, begun together as long as one."""
    clock, benches = VirtualClock(), []
    for _ in range(10):
        bench = Bench(wire=lambda pipe: PromptPipe(pipe, clock, 0.01))
        bench.clock = bench.master._clock = clock
        bench.master.connect(1.0)
        benches.append(bench)
    for count in range(1, 4):
        start = clock.now
        for bench in benches:
            bench.master.begin(32)
        steps = [bench.master.end(1.0) for bench in benches]
        assert [step.time for step in steps if step is not None] == [32 * count] * 10
        assert clock.now - start == pytest.approx(0.01, abs=1e-6)


def test_a_step_that_was_begun_on_a_dead_wire_is_told_on_the_next_one(bench: Bench):
    bench.master.connect(1.0)
    bench.master._pipe.close()
    bench.master.begin(32)
    assert not bench.master.connected
    step = bench.master.end(1.0)
    assert step is not None
    assert bench.robot.now == 32
