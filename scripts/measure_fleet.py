"""Measure what a fleet of robots over MQTT costs: bytes, messages, and processor time of the broker.

    python -m scripts.measure_fleet [ROBOTS] [SECONDS]

Starts mosquitto, ROBOTS (200) emulated e-pucks, and a controller for each that makes a step of 64 ms with new
wheel speeds and readings of 8 distance sensors. docs/scale.md has the results.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from multiprocessing import Process
from pathlib import Path

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from wbridge.hal.link.master import Master
from wbridge.hal.link.recording_robot import RecordingRobot
from wbridge.hal.link.server import Server
from wbridge.hal.link.slave import Slave
from wbridge.hal.link.transports import connect, listen
from wbridge.hal.table import DeviceTable
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.tables.device_tables import device_table, robots

ROOT = Path(__file__).resolve().parents[1]
STEP_MS, PATIENCE_S, SETTLE_S = 64, 120.0, 2.0
THREADS = 8
COUNTERS = ("bytes/received", "bytes/sent", "publish/messages/received", "publish/messages/sent")
"""Topics of mosquitto below $SYS/broker."""


class Robot(RecordingRobot):
    """Reports readings that change in each step."""

    def read(self, channel: object) -> float:
        """The value of a sensor."""
        return float(self.now % 1000) + 0.5


def table() -> DeviceTable:
    """The table of the sample e-puck."""
    world = load_world(ROOT / "worlds" / "epuck_arena.wbt")
    return device_table(next(iter(robots(world.nodes))), world)


def serve(port: int, first: int, last: int) -> None:
    """Emulate some robots until the process is ended."""
    found = table()
    served = [
        Server(listen(f"mqtt://127.0.0.1:{port}/fleet/{i}", found), Slave(found, Robot()))
        for i in range(first, last)
    ]
    while True:
        for one in served:
            one.poll(0.0)
        time.sleep(0.002)


def connected(port: int, count: int) -> list[Master]:
    """Connect a controller to each robot, and enable its sensors."""
    found = table()
    masters = [
        Master(found, partial(connect, f"mqtt://127.0.0.1:{port}/fleet/{i}"), watchdog=10_000)
        for i in range(count)
    ]
    for one in masters:
        one.connect(PATIENCE_S)
        for slot in one.numbering.slots:
            if slot.function == "wb_distance_sensor_enable" and slot.device.startswith("ps"):
                one.set_period(slot, STEP_MS)
        one.step(STEP_MS, PATIENCE_S)
    return masters


def drive(masters: list[Master], seconds: float) -> int:
    """Make steps; return their number."""
    speeds = [one for one in masters[0].numbering.channels if one.label.endswith("wheel motor.velocity")]
    count, start = 0, time.monotonic()
    while time.monotonic() - start < seconds:
        begin = time.monotonic()
        for one in masters:
            for channel in speeds:
                one.set(channel, 1.0 + count % 7)
            one.step(STEP_MS, PATIENCE_S)
        count += len(masters)
        time.sleep(max(0.0, begin + STEP_MS / 1000 - time.monotonic()))
    return count


def counters(port: int) -> dict[str, float]:
    """Counters of the broker, which it publishes each second."""
    found: dict[str, float] = {}
    client = mqtt.Client(CallbackAPIVersion.VERSION2)
    client.on_message = lambda _c, _u, message: found.update({message.topic: float(message.payload)})
    client.connect("127.0.0.1", port)
    for one in COUNTERS:
        client.subscribe(f"$SYS/broker/{one}")
    deadline = time.monotonic() + 10
    while len(found) < len(COUNTERS) and time.monotonic() < deadline:
        client.loop(0.1)
    client.disconnect()
    return {name: found[f"$SYS/broker/{name}"] for name in COUNTERS}


def cpu_s(process: int) -> float:
    """Processor time of a process."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_mb(process: int) -> float:
    """Resident memory of a process."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def main(count: int = 200, seconds: float = 20.0) -> None:
    """Measure and print."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "mosquitto.conf"
        settings.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\nsys_interval 1\n")
        with subprocess.Popen(["mosquitto", "-c", str(settings)], stderr=subprocess.DEVNULL) as broker:
            try:
                _measure(port, broker.pid, count, seconds)
            finally:
                broker.terminate()


def _measure(port: int, broker: int, count: int, seconds: float) -> None:
    time.sleep(1.0)  # the broker begins to listen
    fleet = Process(target=serve, args=(port, 0, count), daemon=True)
    fleet.start()
    masters = connected(port, count)
    time.sleep(SETTLE_S)
    before, spent = counters(port), cpu_s(broker)
    begin = time.monotonic()
    with ThreadPoolExecutor(THREADS) as crew:
        parts = [masters[i::THREADS] for i in range(THREADS)]
        steps = sum(crew.map(lambda part: drive(part, seconds), parts))
    elapsed, spent = time.monotonic() - begin, cpu_s(broker) - spent
    time.sleep(SETTLE_S)
    after = counters(port)
    print(f"{count} robots: {steps} steps in {elapsed:.1f} s")
    for name in COUNTERS:
        print(f"{name} per step: {(after[name] - before[name]) / steps:.1f}")
    print(f"broker: {1e6 * spent / steps:.0f} us of processor time per step, {memory_mb(broker):.1f} MB")


if __name__ == "__main__":
    main(*(int(one) for one in sys.argv[1:3]))
