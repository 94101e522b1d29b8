"""Each device: golden bytes by hand from the tables of the protocol, and round trips of all messages."""

import random
import struct

import pytest

from wbridge.hal.protocol.codec import Codec
from wbridge.hal.protocol.configure import (
    Entry,
    RobotInfo,
    SelfNode,
    read_own,
    read_robot,
    write_own,
    write_robot,
)
from wbridge.hal.protocol.devices import codec_of
from wbridge.hal.protocol.dialect import DIALECTS, NODES, R2023A, R2023B, R2025A, Dialect
from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.layout import CountedList, Layout, Numbers, SizedBytes, Text, Vector
from wbridge.hal.protocol.supervisor import robot_codec

DEVICES = [name for name in NODES if codec_of(name)]


def d(*values: float) -> str:
    return struct.pack(f"<{len(values)}d", *values).hex()


# Node type, "c"ommand or "m"essage, code, values, bytes: of a command with, of a message without its code.
GOLDEN = [
    ("DistanceSensor", "c", 1, (64,), "01 4000"),
    ("DistanceSensor", "m", 50, (2.0,), d(2)),
    (
        *("DistanceSensor", "m", 0, (1, 0.0, 9.0, 1.5, [(0.0, 1.0, 0.0)])),
        "01000000" + d(0, 9, 1.5) + "01000000" + d(0, 1, 0),
    ),
    ("Accelerometer", "m", 51, ((1.0, 2.0, 3.0),), d(1, 2, 3)),
    ("Compass", "m", 52, ((1.0, 2.0, 3.0),), d(1, 2, 3)),
    ("Gyro", "m", 53, ((1.0, 2.0, 3.0),), d(1, 2, 3)),
    ("InertialUnit", "m", 54, ((0.0, 0.0, 0.0, 1.0),), d(0, 0, 0, 1)),
    ("InertialUnit", "m", 0, (0.5, "ENU"), d(0.5) + "454e5500"),
    ("LightSensor", "m", 55, (3.0,), d(3)),
    ("Altimeter", "m", 1, (4.0,), d(4)),
    ("GPS", "m", 0, (1,), "01000000"),
    ("GPS", "m", 2, ((1.0, 2.0, 3.0), 4.0, (5.0, 6.0, 7.0)), d(1, 2, 3, 4, 5, 6, 7)),
    ("TouchSensor", "m", 40, (1.0,), d(1)),
    ("TouchSensor", "m", 41, ((1.0, 0.0, 0.0),), d(1, 0, 0)),
    ("PositionSensor", "c", 2, (57,), "02 3900"),
    ("PositionSensor", "m", 2, (7,), "0700"),
    ("RotationalMotor", "c", 1, (0.5,), "0100" + d(0.5)),
    ("RotationalMotor", "c", 5, (8,), "0500 0800"),
    ("LinearMotor", "c", 7, (10.0, 1.0, 0.0), "0700" + d(10, 1, 0)),
    ("LinearMotor", "c", 8, (52,), "0800 3400"),
    (
        *("RotationalMotor", "m", 0, (0, -1.0, 1.0, 10.0, -1.0, 5.0, 10.0, 0.0, 0.0, 0.0, 10.0, 1.0, [2, 3])),
        "00000000" + d(-1, 1, 10, -1, 5, 10, 0, 0, 0, 10, 1) + "02000000 0200 0300",
    ),
    ("Brake", "c", 2, (1.5,), "02" + d(1.5)),
    ("Brake", "c", 6, (1.5, 52), "06" + d(1.5) + "3400"),
    ("LED", "c", 1, (255,), "01 ff000000"),
    ("Pen", "c", 4, (1, 2, 3, 0.5), "04 010203" + d(0.5)),
    ("Pen", "c", 2, (), "02"),
    ("Connector", "c", 1, (32,), "01 2000"),
    ("Connector", "m", 1, (-1,), "ffff"),
    ("VacuumGripper", "m", 1, (True,), "01"),
    ("Emitter", "c", 0, (1, -1.0, b"hi"), "00 01000000" + d(-1) + "02000000 6869"),
    ("Emitter", "m", 4, ([1, 2],), "02000000 01000000 02000000"),
    ("Emitter", "m", 0, (-1, 1, -1.0, -1.0, -1.0, []), "ffffffff 01000000" + d(-1, -1, -1) + "00000000"),
    ("Receiver", "m", 1, (1, (1.0, 0.0, 0.0), 2.0, b"x"), "01000000" + d(1, 0, 0, 2) + "01000000 78"),
    ("Camera", "c", 11, (True,), "0b 01"),
    (
        *("Camera", "m", 0, (7, 16, 8, 1.0, 0.1, 1, 0.5, 1.5, True, False, 1.0, 0.0, 0.0, 0.0, 0.0)),
        "07000000 1000 0800" + d(1, 0.1) + "01" + d(0.5, 1.5) + "01 00" + d(1, 0, 0, 0, 0),
    ),
    ("Camera", "m", 8, (512, "/a"), "00020000 2f6100"),
    (
        *("Camera", "m", 12),
        ([(3, (1.0, 2.0, 3.0), (0.0, 0.0, 1.0, 0.0), (4.0, 5.0), (6, 7), (8, 9), [(1.0, 0.0, 0.0)], "m")],),
        "01000000 03000000"
        + d(1, 2, 3, 0, 0, 1, 0, 4, 5)
        + "06000000 07000000 08000000 09000000 01000000"
        + d(1, 0, 0)
        + "6d00",
    ),
    ("RangeFinder", "m", 7, (1.0, 0.1, 0, 9.0), d(1, 0.1) + "00" + d(9)),
    ("Lidar", "c", 17, (), "11"),
    ("Lidar", "c", 16, (10.0,), "10" + d(10)),
    ("Radar", "m", 1, ([(1.0, 2.0, 3.0, 4.0)],), "01000000" + d(1, 2, 3, 4)),
    ("Display", "c", 33, ([1, 2], [3, 4]), "21 0200 01000000 02000000 03000000 04000000"),
    ("Display", "c", 34, ([1], [2], "t"), "22 0100 01000000 02000000 7400"),
    ("Display", "c", 35, ([1, 2], [3, 4], True), "23 0200 01000000 02000000 03000000 04000000 01"),
    ("Display", "c", 19, (8, True, "Arial"), "13 08000000 01 0600 417269616c00"),
    ("Display", "c", 67, (1, 1, 1, 3, b"rgb"), "43 01000000 0100 0100 03 726762"),
    ("Display", "m", 66, (0, 1, 1, 6, b"bgra"), "00000000 01000000 01000000 62677261"),
    ("Skin", "m", 0, (["hip"],), "01000000 68697000"),
    ("Skin", "c", 1, (2, (0.0, 0.0, 1.0, 0.5), True), "01 0200" + d(0, 0, 1, 0.5) + "01"),
    ("Speaker", "c", 2, ([],), "02 0000"),
    ("Speaker", "c", 5, ("hi", 1.0), "05 0300 686900" + d(1)),
    (
        *("Speaker", "c", 1, ([("a", 1.0, 1.0, 0.0, 65535, 1, b"wav")],)),
        "01 01000000 0200 6100" + d(1, 1, 0) + "ffff 01 03000000 776176",
    ),
    ("Microphone", "m", 1, (b"ab",), "02000000 6162"),
    ("Radio", "c", 3, (b"me",), "03 02000000 6d65"),
    ("Radio", "m", 1, (-5.0, "you", b"hi"), d(-5) + "796f7500 02000000 6869"),
]


def codec(node_type: str, dialect: Dialect = R2025A) -> Codec:
    found = codec_of(node_type, dialect)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("node_type", "way", "code", "values", "bytes_"), GOLDEN, ids=lambda one: str(one)[:20]
)
def test_golden_bytes(node_type: str, way: str, code: int, values: tuple, bytes_: str):
    raw, out = bytes.fromhex(bytes_), bytearray()
    if way == "c":
        codec(node_type).write_command(out, code, values)
        assert bytes(out) == raw
        assert [(one.code, one.values) for one in codec(node_type).read_commands(raw)] == [(code, values)]
    else:
        codec(node_type).write_message(out, 5, code, values)
        assert bytes(out) == struct.pack("<HB", 5, code) + raw
        assert codec(node_type).read_message(code, raw, 0) == (values, len(raw))


def test_there_are_golden_bytes_for_every_device():
    assert {case[0] for case in GOLDEN} == set(DEVICES)


def some(part: object, chance: random.Random) -> list:
    """Values for a part, as far as it can be known from outside."""
    if isinstance(part, Numbers):
        return list(part.struct.unpack(bytes(chance.choice((0, 1)) for _ in range(part.least))))
    if isinstance(part, Vector):
        return [part.struct.unpack(bytes(chance.choice((0, 1)) for _ in range(part.least)))]
    if isinstance(part, Text):
        return ["té"[: chance.randrange(3)]]
    if isinstance(part, SizedBytes):
        return ["ab"[: chance.randrange(3)] if part.text else b"\0\1"[: chance.randrange(3)]]
    if isinstance(part, CountedList):
        return [[some(part.element, chance)[0] for _ in range(chance.randrange(3))]]
    raise TypeError(type(part).__name__)


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=str)
def test_plain_messages_of_all_devices_and_the_robot_come_back(dialect: Dialect):
    chance, checked = random.Random(1), 0
    codecs = [codec(name, dialect) for name in DEVICES] + [robot_codec(dialect)]
    for one in codecs:
        for message in (*one.commands.values(), *one.messages.values()):
            try:
                values = tuple(v for part in message.layout.parts for v in some(part, chance))
            except TypeError:
                continue
            raw = message.layout.pack(*values)
            assert message.layout.read(raw, 0) == (values, len(raw)), message
            checked += 1
    assert checked > 180


def test_several_commands_stand_in_one_block():
    block = bytes.fromhex("0100" + d(1) + "0200" + d(2))
    assert [one.name for one in codec("RotationalMotor").read_commands(block)] == [
        "set_position",
        "set_velocity",
    ]


def test_an_unknown_command_comes_after_the_known_ones():
    commands = codec("LED").read_commands(bytes.fromhex("01 05000000 77"))
    assert next(commands).values == (5,)
    with pytest.raises(ProtocolError, match="unknown command 119; allowed: 1 set"):
        next(commands)


def test_stray_sizes_of_sounds_are_skipped():
    sound = "0200 6100" + d(1, 1, 0) + "0000 00 00000000"
    block = bytes.fromhex(
        "01 02000000 00000000" + sound + "00000000" + sound + "00000000" * 2 + "05 0200 6200" + d(1)
    )
    play, speak = codec("Speaker").read_commands(block)
    assert [one[0] for one in play.values[0]] == ["a", "a"]
    assert speak.values == ("b", 1.0)


def test_older_releases_send_no_sounds():
    out = bytearray()
    codec("Speaker", R2023B).write_command(out, 1, ([("a", 1.0, 1.0, 0.0, 0, 0, b"")],))
    assert bytes(out) == bytes.fromhex("01 01000000 0200 6100" + d(1, 1, 0) + "0000 00")


@pytest.mark.parametrize(
    ("dialect", "name", "values", "bytes_"),
    [
        (R2025A, "get_field", (4, -1, "size", False), "57 04000000 ffffffff 73697a6500 00"),
        (R2023A, "get_field", (4, "size", False), "57 04000000 73697a6500 00"),
        (
            R2025A,
            "set_field",
            (4, 1, 5, -1, (1.0, 2.0, 3.0)),
            "3e 04000000 01000000 05000000 ffffffff" + d(1, 2, 3),
        ),
        (R2023B, "set_field", (4, 1, 17, 2, True), "3e 04000000 01000000 11000000 02000000 01"),
        (R2025A, "track_pose", (0, 4, 32), "66 00000000 04000000 01 20000000"),
        (R2025A, "track_pose", (0, 4, None), "66 00000000 04000000 00"),
        (R2025A, "save_world", ("w",), "52 01 7700"),
        (R2025A, "save_world", (None,), "52 00"),
        (R2025A, "insert_value", (4, 1, 0, b"DEF\0"), "59 04000000 01000000 00000000 44454600"),
        (R2025A, "get_value", (4, -1, 2, False, b"\1\0\0\0"), "58 04000000 ffffffff 02000000 00 01000000"),
        (
            *(R2025A, "set_label", (0, 0.5, 0.25, 0.1, 0xFF0000, "a", "Arial")),
            "35 0000" + d(0.5, 0.25, 0.1) + "0000ff00 6100 417269616c00",
        ),
    ],
)
def test_requests_of_the_supervisor(dialect: Dialect, name: str, values: tuple, bytes_: str):
    one, raw, out = robot_codec(dialect), bytes.fromhex(bytes_), bytearray()
    one.write_command(out, one.command_codes[name], values)
    assert bytes(out) == raw
    assert [command.values for command in one.read_commands(raw)] == [values]


@pytest.mark.parametrize(
    ("dialect", "name", "values", "bytes_"),
    [
        (R2025A, "value", (0, -1, -1, -1, None), "00000000"),
        (R2025A, "value", (5, 4, -1, 2, (1.0, 2.0, 3.0)), "05000000 04000000 ffffffff 02000000" + d(1, 2, 3)),
        (R2023A, "value", (8, 4, -1, 2, "x"), "08000000 04000000 02000000 7800"),
        (R2023B, "value", (9, 4, -1, 2, None), "09000000 04000000 02000000 00000000"),
        (
            *(R2023A, "value", (25, 4, -1, 2, (7, 80, -1, 4, True, "Ball", "B"))),
            "19000000 04000000 02000000 07000000 50000000 ffffffff 04000000 01 42616c6c00 4200",
        ),
        (
            R2025A,
            "contact_points",
            (4, True, [(1.0, 2.0, 3.0, 9)]),
            "04000000 01 01000000" + d(1, 2, 3) + "09000000",
        ),
        (R2025A, "joystick", (-1, -1, -1, ""), "ffffffff" * 3),
        (R2025A, "joystick", (2, 1, 0, "pad"), "02000000 01000000 00000000 70616400"),
        (R2025A, "keys", ([65, 0x10041],), "02 41000000 41000100"),
    ],
)
def test_answers_to_the_robot(dialect: Dialect, name: str, values: tuple, bytes_: str):
    one, raw, out = robot_codec(dialect), bytes.fromhex(bytes_), bytearray()
    code = one.message_codes[name]
    one.write_message(out, 0, code, values)
    assert bytes(out) == struct.pack("<HB", 0, code) + raw
    assert one.read_message(code, raw, 0) == (values, len(raw))


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=str)
@pytest.mark.parametrize("name", ["robot", "", "\u00e9"])
def test_the_configure_packet_shows_its_dialect(dialect: Dialect, name: str):
    version = dialect.name if dialect.name_first else ""
    info = RobotInfo(
        name, version, True, True, (Entry("LED", "led", "m"), Entry("Camera", "", "")), 1.5, 16.0
    )
    out = bytearray(b"__")
    write_robot(out, info, dialect)
    assert read_robot(bytes(out), 2) == (info, dialect, len(out))


def test_the_numbers_of_node_types():
    assert (R2025A.numbers["Robot"], R2025A.numbers["Radio"], R2023A.numbers["Robot"]) == (34, 87, 33)
    assert (R2023A.numbers["Solid"], R2025A.node(200), "Pose" in R2023A.numbers) == (78, "", False)


def test_the_own_node():
    own, out = SelfNode(3, 0, True, False, "MyRobot", "ME"), bytearray()
    write_own(out, own)
    assert bytes(out) == bytes.fromhex("03000000 00000000 01 00 4d79526f626f7400 4d4500")
    assert read_own(bytes(out), 0) == (own, len(out))


def test_a_device_that_a_dialect_does_not_know_is_refused():
    info = RobotInfo("r", devices=(Entry("VacuumGripper", "vac", ""),))
    with pytest.raises(ProtocolError, match='"vac" is of type VacuumGripper, which R2023a does not know'):
        write_robot(bytearray(), info, R2023A)


def test_layouts_name_each_value_once():
    for name in DEVICES:
        for message in (*codec(name).commands.values(), *codec(name).messages.values()):
            layout: Layout = message.layout
            assert len(layout.names) == len(set(layout.names)) == sum(part.count for part in layout.parts), (
                message
            )
