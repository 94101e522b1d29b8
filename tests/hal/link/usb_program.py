"""Run by test_usb_libusb.py below umockdev: a robot as a USB device of the kernel's kind, and a controller.

The device exists below libusb only: real pyusb and real libusb talk with it by the kernel's requests.
"""

from __future__ import annotations

import errno
import threading
import time

import gi

gi.require_version("UMockdev", "1.0")
from gi.repository import GLib, UMockdev  # noqa: E402

from wbridge.hal.link.framing import CobsDecoder, frame_cobs  # noqa: E402
from wbridge.hal.link.master import Master  # noqa: E402
from wbridge.hal.link.numbering import Numbering  # noqa: E402
from wbridge.hal.link.recording_robot import RecordingRobot  # noqa: E402
from wbridge.hal.link.slave import Slave  # noqa: E402
from wbridge.hal.link.transports import connect  # noqa: E402
from wbridge.hal.table import Channel, DeviceEntry, DeviceTable  # noqa: E402

NODE = "/dev/bus/usb/001/002"
DESCRIPTORS = (
    "1201000200000040091201000001000000 01".replace(" ", "")
    + "09022000010100802d"
    + "0904000002ff000000"
    + "07050102400000"
    + "07058102400000"
)
DEVICE = f"""P: /devices/mock/usb1/1-1
N: bus/usb/001/002
E: DEVTYPE=usb_device
E: SUBSYSTEM=usb
E: BUSNUM=001
E: DEVNUM=002
E: MAJOR=189
E: MINOR=1
E: DEVNAME={NODE}
A: busnum=1\\n
A: devnum=2\\n
A: idVendor=1209\\n
A: idProduct=0001\\n
A: bConfigurationValue=1\\n
A: speed=12\\n
H: descriptors={DESCRIPTORS}
"""
CAPABILITIES, SUBMIT, REAP, DISCARD = 0x8004551A, 0x8038550A, 0x4008550D, 0x550B
HARMLESS = (0x8004550F, 0x80045510, 0x80045505, 0x80085504, 0x80045515)
"""Claim and release an interface, choose a configuration and a setting, clear a halt."""
URB, BUFFER, LENGTH, ACTUAL = 56, 16, 24, 28
"""Size of the kernel's request block, and places in it."""
BULK = 3


def table() -> DeviceTable:
    """One motor and one sensor."""
    motor = (Channel("velocity", "act", "f64", (), ""),)
    sensor = (Channel("value", "sense", "f64", (), "wb_distance_sensor_enable"),)
    return DeviceTable(
        DeviceEntry(0, "rover", "Robot", "", {}, ()),
        (
            DeviceEntry(1, "motor", "RotationalMotor", "", {}, motor),
            DeviceEntry(2, "ds", "DistanceSensor", "", {}, sensor),
        ),
    )


class UsbRobot(UMockdev.IoctlBase):  # type: ignore[misc]
    """Answers the kernel's requests with a robot's end of the link."""

    def __init__(self, slave: Slave) -> None:
        super().__init__()
        self.slave, self.decoder = slave, CobsDecoder()
        self.answers, self.reading, self.done = bytearray(), [], []

    def do_handle_ioctl(self, client: UMockdev.IoctlClient) -> bool:
        """One request."""
        request, data = client.get_request(), client.get_arg()
        if request == CAPABILITIES:
            data.resolve(0, 4).update(0, [0, 0, 0, 0])
            client.complete(0, 0)
        elif request in HARMLESS:
            client.complete(0, 0)
        elif request == SUBMIT:
            self.submit(data.resolve(0, URB))
            client.complete(0, 0)
        elif request == REAP:
            self.reap(client, data)
        elif request == DISCARD:
            self.reading.clear()
            client.complete(-1, errno.EINVAL)
        else:
            client.complete(-1, errno.ENOTTY)
        return True

    def submit(self, block: UMockdev.IoctlData) -> None:
        """A transfer begins."""
        head = block.retrieve()
        size = int.from_bytes(head[LENGTH : LENGTH + 4], "little")
        assert head[0] == BULK
        buffer = block.resolve(BUFFER, size)
        if head[1] & 0x80:
            self.reading.append((block, buffer, size))
        else:
            for message in self.decoder.feed(bytes(buffer.retrieve())):
                self.answers += frame_cobs(self.slave.receive(message, 1000 * time.monotonic()) or b"")
            self.finish(block, size)
        if self.reading and self.answers:
            block, buffer, size = self.reading.pop(0)
            part = self.answers[:size]
            del self.answers[:size]
            buffer.update(0, list(part))
            self.finish(block, len(part))

    def finish(self, block: UMockdev.IoctlData, count: int) -> None:
        """A transfer has ended."""
        block.update(4, [0, 0, 0, 0])
        block.update(ACTUAL, list(count.to_bytes(4, "little")))
        self.done.append(block)

    def reap(self, client: UMockdev.IoctlClient, data: UMockdev.IoctlData) -> None:
        """The next transfer that has ended."""
        if self.done:
            data.resolve(0, 8).set_ptr(0, self.done.pop(0))
            client.complete(0, 0)
        else:
            client.complete(-1, errno.EAGAIN)


def main() -> None:
    """Drive the robot over USB."""
    robot = RecordingRobot()
    robot.values["ds.value"] = 0.5
    testbed = UMockdev.Testbed.new()
    testbed.add_from_string(DEVICE)
    handler = UsbRobot(Slave(table(), robot))
    testbed.attach_ioctl(NODE, handler)
    threading.Thread(target=GLib.MainLoop().run, daemon=True).start()
    numbering = Numbering(table())
    master = Master(table(), lambda: connect("usb://1209:0001"), watchdog=10_000)
    slot, velocity = numbering.slots[0], numbering.channels[0]
    master.set_period(slot, 8)
    values = []
    for k in range(100):
        master.set(velocity, k / 10)
        step = master.step(8, 20.0)
        assert step is not None
        values += step.values
    assert robot.commands == [("motor.velocity", k / 10) for k in range(100)]
    assert values == [(numbering.channels[1], 0.5)] * 100
    master.leave(5.0)
    print("steps", len(values), "stops", robot.stops, flush=True)


if __name__ == "__main__":
    main()
