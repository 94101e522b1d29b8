"""Emitters and receivers: who hears what, when, from where, and what limits, walls and noise do."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.devices.rig import NEW, OLD, STEP_MS, Rig, robot, world

WALL = "Solid { translation 1 0 0 boundingObject Box { size 0.1 4 4 } }"


def pair(
    emitter: str = "",
    receiver: str = "",
    sender: str = "",
    hearer: str = "translation 2 0 0",
    around: str = "",
    **options: Any,
) -> Rig:
    """A robot "one" with an Emitter at the origin, and a robot "two" with a Receiver."""
    text = robot(f'Emitter {{ name "e" {emitter} }}', sender, name="one")
    text += robot(f'DEF R Receiver {{ name "r" {receiver} }}', hearer, name="two")
    rig = Rig(world(text + around), **options)
    two = rig.connect("two")
    rig.of(two, "r").enable(STEP_MS)
    return rig


def receiver(rig: Rig) -> Any:
    return rig.of(rig.connect("two"), "r")


def heard(rig: Rig) -> list[bytes]:
    """All that lies in the queue, which is emptied."""
    found = []
    while receiver(rig).get_queue_length():
        found.append(receiver(rig).get_data())
        receiver(rig).next_packet()
    return found


@pytest.mark.parametrize("tcp", [False, True])
def test_a_packet_sent_at_t_is_read_at_the_next_step(tcp: bool):
    rig = pair(tcp=tcp)
    assert rig["e"].send(b"hello") == 1
    assert heard(rig) == []
    rig.step()
    assert heard(rig) == [b"hello"]
    rig.step()
    assert heard(rig) == []


def test_packets_keep_the_order_of_sending():
    rig = pair()
    for one in (b"a", b"b", b"c"):
        rig["e"].send(one)
    rig.step()
    assert heard(rig) == [b"a", b"b", b"c"]


def test_direction_and_strength_are_those_of_the_emitter_seen_from_the_receiver():
    rig = pair(hearer="translation 2 0 0 rotation 0 0 1 1.5707963267948966")
    rig["e"].send(b"x")
    rig.step()
    assert receiver(rig).get_emitter_direction() == pytest.approx([0, 1, 0], abs=1e-12)
    assert receiver(rig).get_signal_strength() == pytest.approx(1 / 4)


def test_what_was_sent_before_the_receiver_is_due_waits_for_it():
    rig = pair()
    receiver(rig).enable(3 * STEP_MS)
    for number in range(3):
        rig["e"].send(bytes([number]))
        rig.step()
        assert receiver(rig).get_queue_length() == (3 if number == 2 else 0)


def test_a_receiver_that_is_off_hears_nothing():
    rig = pair()
    receiver(rig).disable()
    rig["e"].send(b"x")
    rig.step()
    receiver(rig).enable(STEP_MS)
    rig.step(2)
    assert heard(rig) == []


@pytest.mark.parametrize(
    ("sent", "listens", "arrives"),
    [(0, 0, True), (1, 1, True), (1, 2, False), (-1, 2, True), (1, -1, True), (-1, -1, True)],
)
def test_channels_must_meet(sent: int, listens: int, arrives: bool):
    rig = pair(f"channel {sent}", f"channel {listens}")
    rig["e"].send(b"x")
    rig.step()
    assert heard(rig) == ([b"x"] if arrives else [])


def test_a_controller_changes_channels():
    rig = pair()
    rig["e"].set_channel(5)
    rig["e"].send(b"early")
    rig.step()
    assert heard(rig) == []
    receiver(rig).set_channel(5)
    rig["e"].send(b"late")
    rig.step()
    assert heard(rig) == [b"late"]
    assert rig.node("R").get("channel") == 5
    assert receiver(rig).get_channel() == 5


def test_each_packet_has_the_channel_at_which_it_was_sent():
    rig = pair(receiver="channel 1")
    rig["e"].set_channel(1)
    rig["e"].send(b"one")
    rig["e"].set_channel(2)
    rig["e"].send(b"two")
    rig.step()
    assert heard(rig) == [b"one"]


def test_allowed_channels_bind_even_a_library_that_does_not_check():
    rig = pair("allowedChannels [ 0, 3 ]")
    rig.model("e").on_send(3, -1.0, b"x")
    with pytest.raises(ValueError, match=r"channel 4 is not in the field allowedChannels \[0, 3\]"):
        rig.model("e").on_send(4, -1.0, b"x")


@pytest.mark.parametrize(("kind", "arrives"), [("radio", False), ("serial", True)])
def test_types_must_be_equal(kind: str, arrives: bool):
    rig = pair(f'type "{kind}"', 'type "serial"')
    rig["e"].send(b"x")
    rig.step()
    assert bool(heard(rig)) is arrives


@pytest.mark.parametrize(("range_", "arrives"), [("1.9", False), ("2.1", True), ("-1", True)])
def test_the_range_ends_somewhere(range_: str, arrives: bool):
    rig = pair(f"range {range_}")
    rig["e"].send(b"x")
    rig.step()
    assert bool(heard(rig)) is arrives


def test_the_maximal_range_limits_what_a_controller_wants():
    rig = pair("range 1 maxRange 1.5")
    rig["e"].set_range(10)
    rig["e"].send(b"x")
    rig.step()
    assert rig["e"].get_range() == 1.5
    assert rig.model("e").range == 1.5
    assert heard(rig) == []


def test_the_range_counts_at_the_end_of_the_step():
    away = "translation 2 0 0 linearVelocity 100 0 0"
    rig = pair("range 3", hearer=away)
    rig["e"].send(b"x")
    rig.step()
    assert rig.simulation.node("TWO").translation[0] == pytest.approx(2 + 100 * STEP_MS / 1000)
    assert heard(rig) == []


def test_a_robot_does_not_hear_itself():
    rig = Rig(world(robot('Emitter { name "e" } Receiver { name "r" }')))
    rig.enable("r")
    rig["e"].send(b"x")
    rig.step()
    assert rig["r"].get_queue_length() == 0


def test_a_wall_stops_infra_red_light_but_no_radio():
    for kind, expected in (("infra-red", []), ("radio", [b"x"]), ("serial", [b"x"])):
        rig = pair(f'type "{kind}"', f'type "{kind}"', around=WALL)
        rig["e"].send(b"x")
        rig.step()
        assert heard(rig) == expected, kind


def test_the_two_robots_themselves_are_no_obstacles():
    body = "boundingObject Box { size 0.2 0.2 0.2 }"
    rig = pair('type "infra-red"', 'type "infra-red"', sender=body, hearer=f"translation 2 0 0 {body}")
    rig["e"].send(b"x")
    rig.step()
    assert heard(rig) == [b"x"]
    third = robot("", f"translation 1 0 0 {body}", name="third")
    rig = pair('type "infra-red"', 'type "infra-red"', sender=body, around=third)
    rig["e"].send(b"x")
    rig.step()
    assert heard(rig) == []


@pytest.mark.parametrize(
    ("header", "fields", "arrives"),
    [
        (NEW, "aperture 1", True),
        (NEW, "aperture 1 rotation 0 0 1 0.49", True),
        (NEW, "aperture 1 rotation 0 0 1 0.51", False),
        (OLD, "aperture 1", False),
        (OLD, "aperture 1 rotation 0 1 0 1.5707963", True),
    ],
)
def test_the_cone_of_an_emitter_opens_along_x_or_in_old_files_along_z(
    header: str, fields: str, arrives: bool
):
    rig = pair(f'type "infra-red" {fields}', 'type "infra-red"', header=header)
    rig["e"].send(b"x")
    rig.step()
    assert bool(heard(rig)) is arrives


def test_the_cone_of_a_receiver_counts_too():
    for angle, expected in ((0.0, False), (math.pi, True)):
        rig = pair('type "infra-red"', f'type "infra-red" aperture 1 rotation 0 0 1 {angle}')
        rig["e"].send(b"x")
        rig.step()
        assert bool(heard(rig)) is expected


def test_radio_looks_at_no_cone():
    rig = pair("aperture 0.1 rotation 0 0 1 2")
    rig["e"].send(b"x")
    rig.step()
    assert heard(rig) == [b"x"]


def test_a_full_emitter_refuses_and_a_full_receiver_drops():
    rig = pair("bufferSize 8", "bufferSize 6")
    assert rig["e"].send(b"12345") == 1
    assert rig["e"].send(b"6789") == 0
    assert rig["e"].send(b"678") == 1
    rig.step()
    assert heard(rig) == [b"12345"]


def test_the_baud_rate_lets_packets_wait():
    """8000 bits per second with 8 bits a byte: 16 bytes in a step of 16 ms."""
    rig = pair("baudRate 8000")
    for _ in range(2):
        rig["e"].send(b"x" * 16)
    arrivals = []
    for _ in range(4):
        rig.step()
        arrivals.append(len(heard(rig)))
    assert sum(arrivals) == 2
    assert max(arrivals) == 1


def test_noise_of_strength_is_relative_and_never_negative():
    rig = pair(receiver="signalStrengthNoise 0.5")
    values = []
    for _ in range(400):
        rig["e"].send(b"x")
        rig.step()
        values.append(4 * receiver(rig).get_signal_strength())
        heard(rig)
    mean = sum(values) / len(values)
    assert mean == pytest.approx(1, abs=0.1)
    assert min(values) >= 0
    assert math.sqrt(sum((one - mean) ** 2 for one in values) / len(values)) == pytest.approx(0.5, abs=0.1)


def test_noise_of_direction_grows_with_the_distance_and_leaves_unit_vectors():
    rig = pair(receiver="directionNoise 0.05")
    values = []
    for _ in range(400):
        rig["e"].send(b"x")
        rig.step()
        x, y, z = receiver(rig).get_emitter_direction()
        assert math.sqrt(x * x + y * y + z * z) == pytest.approx(1)
        values.append(y)
        heard(rig)
    assert math.sqrt(sum(one * one for one in values) / len(values)) == pytest.approx(0.1, abs=0.02)


def test_noise_is_the_same_in_each_run():
    def run() -> list[float]:
        rig = pair(receiver="signalStrengthNoise 0.5 directionNoise 0.1")
        found = []
        for _ in range(20):
            rig["e"].send(b"x")
            rig.step()
            found += [receiver(rig).get_signal_strength(), *receiver(rig).get_emitter_direction()]
            heard(rig)
        return found

    assert run() == run()


def test_a_reset_forgets_what_waits():
    rig = pair()
    receiver(rig).enable(5 * STEP_MS)
    rig["e"].send(b"x")
    rig.step()
    rig.simulation.reset()
    rig.step(6)
    assert heard(rig) == []


def test_a_supervisor_changes_the_fields():
    rig = pair("range 5")
    emitter = rig.model("e")
    rig.simulation.set_field(emitter.node, "channel", 3)
    rig.simulation.set_field(emitter.node, "maxRange", 4.0)
    rig.simulation.set_field(emitter.node, "bufferSize", 100)
    rig.set("R", "channel", 3)
    rig.set("R", "bufferSize", 50)
    rig.step()
    assert (rig["e"].get_channel(), rig["e"].get_range(), rig["e"].get_buffer_size()) == (3, 4.0, 100)
    assert receiver(rig).get_channel() == 3
    rig["e"].send(b"x")
    rig.step()
    assert heard(rig) == [b"x"]


@pytest.mark.parametrize(
    ("channel", "range_", "what"),
    [(-2, -1.0, "channel -2"), (0, math.nan, "range of nan"), (0, -0.5, "range of -0.5")],
)
def test_nonsense_from_the_wire_is_refused(channel: int, range_: float, what: str):
    with pytest.raises(ValueError, match=what):
        pair().model("e").on_send(channel, range_, b"x")


def test_an_empty_battery_silences_both():
    for owner in ("one", "two"):
        rig = pair()
        found = rig.simulation.robots.find(owner)
        assert found is not None
        found.has_power = False
        rig["e"].send(b"x")
        rig.step()
        assert heard(rig) == []


def test_remote_control_leaves_the_simulated_radio_on():
    rig = pair()
    hearer = rig.simulation.robots.find("two")
    assert hearer is not None
    hearer.is_remote = True
    rig["e"].send(b"x")
    rig.step()
    assert heard(rig) == [b"x"]


def test_two_emitters_are_heard_in_the_order_of_their_robots():
    text = "".join(robot('Emitter { name "e" }', name=name) for name in ("a", "b"))
    rig = Rig(world(text + robot('Receiver { name "r" }', name="two")))
    receiver(rig).enable(STEP_MS)
    rig.of(rig.connect("b"), "e").send(b"from b")
    rig["e"].send(b"from a")
    rig.step()
    assert heard(rig) == [b"from a", b"from b"]
