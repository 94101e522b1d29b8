"""The emulated bus servos speak the bytes of the real ones.

Judges: the makers' own libraries for computers (dynamixel-sdk, feetech-servo-sdk), and the examples of
packets in Robotis' protocol 2 document and Feetech's protocol manual.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from wbridge.wbverify.serial_parts import dynamixel, sts
from wbridge.wbverify.serial_parts.bus_servo import Servo, ServoLine


def hexes(text: str) -> bytes:
    return bytes.fromhex(text)


class FakePort:
    """A port of the makers' libraries that leads to emulated servos."""

    is_using = False
    baudrate = 1_000_000
    ser = None

    def __init__(self, line: ServoLine) -> None:
        self._line, self._waiting = line, b""
        self.echoes = False

    def clearPort(self) -> None:  # noqa: N802 (names of the libraries)
        self._waiting = b""

    def writePort(self, packet: Any) -> int:  # noqa: N802
        self._waiting += self._line.exchange(bytes(packet), 0)
        return len(packet)

    def readPort(self, length: int) -> Any:  # noqa: N802
        data, self._waiting = self._waiting[:length], self._waiting[length:]
        return list(data)

    def setPacketTimeout(self, length: int) -> None:  # noqa: N802
        pass

    def setPacketTimeoutMillis(self, ms: float) -> None:  # noqa: N802
        pass

    def isPacketTimeout(self) -> bool:  # noqa: N802
        return not self._waiting


def dynamixel_line() -> dynamixel.DynamixelLine:
    line = dynamixel.DynamixelLine()
    line.servos[1] = Servo(dynamixel.REGISTER_BYTES)
    line.servos[1].set(0, 2, 0x0406)  # XM430-W210
    line.servos[1].set(6, 1, 0x26)
    line.servos[1].set(132, 4, 166)
    line.servos[2] = Servo(dynamixel.REGISTER_BYTES)
    return line


def sts_line() -> sts.StsLine:
    line = sts.StsLine()
    for number in range(1, 5):
        line.servos[number] = Servo(sts.REGISTER_BYTES)
    line.servos[1].set(0x38, 2, 0x0518)
    return line


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        ("FF FF FD 00 01 03 00 01 19 4E", "FF FF FD 00 01 07 00 55 00 06 04 26 65 5D"),
        ("FF FF FD 00 01 07 00 02 84 00 04 00 1D 15", "FF FF FD 00 01 08 00 55 00 A6 00 00 00 8C C0"),
        ("FF FF FD 00 01 09 00 03 74 00 00 02 00 00 CA 89", "FF FF FD 00 01 04 00 55 00 A1 0C"),
        ("FF FF FD 00 01 03 00 01 19 4F", ""),
    ],
)
def test_examples_of_robotis(sent: str, answer: str):
    assert dynamixel_line().exchange(hexes(sent), 0) == hexes(answer)


def test_a_goal_for_two_dynamixels_in_robotis_example():
    line = dynamixel_line()
    sent = "FF FF FD 00 FE 11 00 83 74 00 04 00 01 96 00 00 00 02 AA 00 00 00 82 87"
    assert line.exchange(hexes(sent), 0) == b""
    assert [line.servos[number].get(116, 4) for number in (1, 2)] == [150, 170]


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        ("FF FF 01 02 01 FB", "FF FF 01 02 00 FC"),
        ("FF FF 01 04 02 38 02 BE", "FF FF 01 04 00 18 05 DD"),
        ("FF FF 01 04 02 38 02 BF", ""),
    ],
)
def test_examples_of_feetech(sent: str, answer: str):
    line = sts_line()
    data = hexes(sent)
    assert line.exchange(data[:3], 0) + line.exchange(data[3:], 1000) == hexes(answer)


def test_a_goal_for_four_sts_servos_in_feetechs_example():
    line = sts_line()
    each = "00 08 00 00 E8 03"
    text = f"FF FF FE 20 83 2A 06 01 {each} 02 {each} 03 {each} 04 {each} 58"
    assert line.exchange(hexes(text), 0) == b"" and line.wrong == 0
    assert [one.get(42, 2) for one in line.servos.values()] == [0x800] * 4
    assert [one.get(46, 2) for one in line.servos.values()] == [1000] * 4


def test_the_library_of_robotis_reads_and_writes():
    sdk: Any = pytest.importorskip("dynamixel_sdk", reason="the client dynamixel-sdk is not installed")
    line = dynamixel_line()
    port, handler = FakePort(line), sdk.PacketHandler(2.0)
    assert handler.ping(port, 1) == (0x0406, sdk.COMM_SUCCESS, 0)
    assert handler.read4ByteTxRx(port, 1, 132) == (166, sdk.COMM_SUCCESS, 0)
    assert handler.write4ByteTxRx(port, 1, 116, 0xFFFDFFFF) == (sdk.COMM_SUCCESS, 0), "bytes like a head"
    assert line.servos[1].get(116, 4) == 0xFFFDFFFF
    line.servos[1].set(132, 4, -131073)
    assert handler.read4ByteTxRx(port, 1, 132) == (0xFFFDFFFF, sdk.COMM_SUCCESS, 0)
    write = sdk.GroupSyncWrite(port, handler, 112, 8)
    for number in (1, 2):
        assert write.addParam(number, list(range(number, number + 8)))
    assert write.txPacket() == sdk.COMM_SUCCESS
    assert bytes(line.servos[2].registers[112:120]) == bytes(range(2, 10))
    read = sdk.GroupSyncRead(port, handler, 112, 8)
    assert read.addParam(1) and read.addParam(2)
    assert read.txRxPacket() == sdk.COMM_SUCCESS
    assert read.getData(2, 112, 4) == 0x05040302


def test_the_library_of_feetech_reads_and_writes():
    sdk: Any = pytest.importorskip("scservo_sdk", reason="the client feetech-servo-sdk is not installed")
    handler_class = import_module("scservo_sdk").PacketHandler
    line = sts_line()
    port, handler = FakePort(line), handler_class(0)
    assert handler.read2ByteTxRx(port, 1, 56) == (0x0518, sdk.COMM_SUCCESS, 0)
    assert handler.write2ByteTxRx(port, 3, 42, 3000) == (sdk.COMM_SUCCESS, 0)
    assert line.servos[3].get(42, 2) == 3000
    write = sdk.GroupSyncWrite(port, handler, 42, 2)
    for number in (1, 2):
        assert write.addParam(number, [number, 8])
    assert write.txPacket() == sdk.COMM_SUCCESS
    assert line.servos[2].get(42, 2) == 0x0802
