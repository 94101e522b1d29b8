"""The other end of the wire for bench_link, as a process: `python -m benchmarks.link_peer MODE URL`.

MODE is `echo` (sends all bytes back), `robot` (the robot's end of the link), `many` (the same with ten
devices) or `fleet` (many robots at URL/0, URL/1 and so on). The first line of output is the URL to connect
to. The process exits at the end of its input.
"""

from __future__ import annotations

import select
import sys
import threading
from collections.abc import Callable
from functools import partial

from wbridge.hal.link.errors import ConnectionLost
from wbridge.hal.link.recording_robot import RecordingRobot
from wbridge.hal.link.server import Server
from wbridge.hal.link.slave import Slave
from wbridge.hal.link.transports import listen
from wbridge.hal.table import Channel, DeviceEntry, DeviceTable

__all__ = ["MANY", "ROBOTS", "TABLE"]

ROBOTS = 50

TABLE = DeviceTable(
    DeviceEntry(0, "rover", "Robot", "", {}, ()),
    (
        DeviceEntry(1, "left", "RotationalMotor", "", {}, (Channel("velocity", "act", "f64", (), ""),)),
        DeviceEntry(2, "right", "RotationalMotor", "", {}, (Channel("velocity", "act", "f64", (), ""),)),
        DeviceEntry(3, "ds", "DistanceSensor", "", {}, (Channel("value", "sense", "f64", (), "wb_ds"),)),
        DeviceEntry(
            4, "imu", "Accelerometer", "", {}, (Channel("acceleration", "sense", "vec3", (), "wb_imu"),)
        ),
    ),
)
MANY = DeviceTable(
    TABLE.robot,
    (
        *TABLE.devices,
        *(
            DeviceEntry(number, f"ds{number}", "DistanceSensor", "", {}, TABLE.devices[2].channels)
            for number in range(5, 11)
        ),
    ),
)
"""Of a robot with ten devices: two motors, seven distance sensors, an accelerometer."""
WAIT = 0.05
VALUES = {"imu.acceleration": (0.0, 0.0, 9.81)}


def serve_robot(url: str, end: threading.Event, table: DeviceTable = TABLE) -> None:
    """Serve one robot."""
    robot = RecordingRobot()
    robot.values.update(
        {f"{device.name}.value": 0.5 for device in table.devices if device.type == "DistanceSensor"}
    )
    robot.values.update(VALUES)
    server = Server(listen(url, table), Slave(table, robot))
    print(server.listener.url, flush=True)
    while not end.is_set():
        server.poll(WAIT)
        robot.commands.clear()
    server.close()


def serve_echo(url: str, end: threading.Event) -> None:
    """Send all bytes back."""
    listener = listen(url, TABLE)
    print(listener.url, flush=True)
    pipe = None
    while not end.is_set():
        if pipe is None:
            pipe = listener.accept()
            if pipe is None:
                select.select([listener], [], [], WAIT)
            continue
        bare = getattr(pipe, "pipe", pipe)
        try:
            data = bare.receive(WAIT)
        except ConnectionLost:
            return
        if data is not None:
            bare.send(data)


def serve_fleet(url: str, end: threading.Event) -> None:
    """Serve many robots."""
    urls = [f"{url}/{k}" for k in range(ROBOTS)]
    servers = [Server(listen(one, TABLE), Slave(TABLE, RecordingRobot())) for one in urls]
    for server in servers:
        server.poll(0.0)
    print(url, flush=True)
    while not end.is_set():
        ready = select.select([one for server in servers for one in server.filenos()], [], [], WAIT)[0]
        for server in servers:
            if not set(server.filenos()).isdisjoint(ready):
                server.poll(0.0)
    for server in servers:
        server.close()


def main() -> None:
    """Serve until the input ends."""
    mode, url = sys.argv[1:]
    end = threading.Event()

    def watch() -> None:
        sys.stdin.read()
        end.set()

    threading.Thread(target=watch, daemon=True).start()
    modes: dict[str, Callable[[str, threading.Event], None]] = {
        "robot": serve_robot,
        "many": partial(serve_robot, table=MANY),
        "echo": serve_echo,
        "fleet": serve_fleet,
    }
    modes[mode](url, end)


if __name__ == "__main__":
    main()
