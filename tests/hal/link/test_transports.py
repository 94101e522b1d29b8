"""Transports over real wires: pseudo terminals, TCP, a broker, USB by pyusb; URLs and their errors."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hal.link.broker import Broker
from tests.hal.link.conftest import ROVER
from tests.hal.link.serving import Serving, serving
from wbridge.hal.link import transports
from wbridge.hal.link.errors import AddressError, ConnectionLost, LinkError, RobotBusy
from wbridge.hal.link.master import Master
from wbridge.hal.link.numbering import Numbering
from wbridge.hal.link.recording_robot import RecordingRobot
from wbridge.hal.link.slave import Slave
from wbridge.hal.link.transports import connect, pin, usb
from wbridge.hal.link.url import parse_url
from wbridge.hal.link.usb_device import UsbDevice

if sys.platform != "win32":
    import termios

NUMBERING = Numbering(ROVER)
VELOCITY, VALUE = NUMBERING.channel(1, "velocity"), NUMBERING.channel(3, "value")
SLOT = NUMBERING.slot(3, "wb_distance_sensor_enable")
PATIENCE = 60.0
assert VELOCITY and VALUE and SLOT


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """A broker for all tests of this file."""
    one = Broker(tmp_path_factory.mktemp("broker"))
    yield one
    one.stop()


def master_at(url: str, **settings: object) -> Master:
    return Master(ROVER, lambda: connect(url), watchdog=5000, **settings)  # type: ignore[arg-type]


def drive(master: Master, robot: RecordingRobot, steps: int = 100) -> None:
    """Each step has another command; what the sensor shows comes back."""
    robot.values["ds.value"] = 0.1
    master.set_period(SLOT, 8)
    master.connect(PATIENCE)
    for k in range(steps):
        master.set(VELOCITY, 0.1 * k)
        step = master.step(8, PATIENCE)
        assert step is not None
        assert step.values == [(VALUE, 0.1)]
    assert robot.commands == [("left motor.velocity", 0.1 * k) for k in range(steps)]
    assert master.leave(PATIENCE)
    assert robot.stops == 1


# The same talk over every wire.


def test_a_pseudo_terminal(tmp_path: Path):
    with serving(f"pty://{tmp_path}/robot") as robot:
        assert robot.url == f"serial://{tmp_path}/robot"
        drive(master_at(robot.url + "?baud=250000"), robot.robot)


def test_tcp():
    with serving("tcp://127.0.0.1") as robot:
        drive(master_at(robot.url), robot.robot)


@pytest.mark.parametrize("tls", [False, True])
@pytest.mark.parametrize("qos", [0, 1, 2])
def test_a_broker(broker: Broker, tls: bool, qos: int):
    url = broker.url(f"robots/{tls}/{qos}", tls) + ("&" if tls else "?") + f"qos={qos}"
    with serving(url) as robot:
        drive(master_at(url), robot.robot)


def test_a_loop_in_one_thread():
    robot = RecordingRobot()
    from wbridge.hal.link.server import Server

    server = Server(transports.listen("loop://rover", ROVER), Slave(ROVER, robot))
    drive(master_at("loop://rover"), robot)
    server.close()


def test_a_loop_between_threads():
    with serving("loop://rover2") as robot:
        drive(master_at("loop://rover2"), robot.robot)


@pytest.fixture
def usb_robot() -> Iterator[tuple[UsbDevice, RecordingRobot]]:
    """A robot at USB."""
    robot = RecordingRobot()
    device = UsbDevice(0x1209, 0x0001, Slave(ROVER, robot))
    usb.BACKENDS["demo"] = device
    yield device, robot
    del usb.BACKENDS["demo"]


def test_usb(usb_robot: tuple[UsbDevice, RecordingRobot]):
    drive(master_at("usb://1209:0001?backend=demo"), usb_robot[1])


def test_an_unplugged_usb_device_is_found_again(usb_robot: tuple[UsbDevice, RecordingRobot]):
    device, robot = usb_robot
    master = master_at("usb://1209:1?backend=demo")
    master.set(VELOCITY, 1.0)
    assert master.step(8, PATIENCE)
    device.plugged = False
    assert master.step(8, 0.01) is None
    with pytest.raises(ConnectionLost, match="no such USB device"):
        connect("usb://1209:1?backend=demo")
    device.plugged = True
    assert master.step(8, PATIENCE)
    assert master.sessions == 2
    assert robot.state == {"left motor.velocity": 1.0}
    master.close()


# Wires that break.


def test_a_pulled_serial_cable_is_found_again(tmp_path: Path):
    url = f"pty://{tmp_path}/robot"
    first = Serving(url)
    master = master_at(first.url)
    master.set(VELOCITY, 1.0)
    assert master.step(8, PATIENCE)
    first.close()
    assert first.robot.stops == 1
    assert master.step(8, 0.05) is None
    assert not master.connected
    with serving(url) as second:
        assert master.step(8, PATIENCE)
        assert second.robot.state == {"left motor.velocity": 1.0}
        master.leave(PATIENCE)


def test_a_terminal_that_somebody_else_has_got_is_left_alone():
    """The number of a pseudo terminal goes to the next program, perhaps to a shell."""
    with serving("pty://") as robot:
        where = pin(parse_url(robot.url))
        assert where.pinned
        connect(where).close()
        connect(where).close()
    shell, terminal = os.openpty()
    there = where._replace(path=os.ttyname(terminal))
    while pin(there).pinned == where.pinned:  # the clock of files has gone on
        os.close(shell)
        os.close(terminal)
        shell, terminal = os.openpty()
        there = where._replace(path=os.ttyname(terminal))
    try:
        with pytest.raises(ConnectionLost, match="another program uses this terminal now"):
            connect(there)
        assert termios.tcgetattr(terminal)[3] & termios.ECHO  # who opens it as a wire takes that away
        connect(f"serial://{there.path}").close()  # whoever names it anew means it
    finally:
        os.close(shell)
        os.close(terminal)


def test_a_real_port_is_found_again_in_any_case(tmp_path: Path):
    assert not pin(parse_url(f"serial://{tmp_path}/robot")).pinned
    assert not pin(parse_url("tcp://127.0.0.1:9")).pinned


def test_a_closed_tcp_connection_stops_the_robot_at_once():
    with serving("tcp://127.0.0.1") as robot:
        stopped = threading.Event()
        robot.robot.stop = stopped.set  # type: ignore[method-assign]
        master = master_at(robot.url)
        assert master.step(8, PATIENCE)
        master.close()
        assert stopped.wait(PATIENCE)
        assert not robot.slave.driven


def test_a_second_controller_at_tcp_is_refused():
    with serving("tcp://127.0.0.1") as robot:
        first, second = master_at(robot.url), master_at(robot.url)
        assert first.step(8, PATIENCE)
        with pytest.raises(RobotBusy):
            second.connect(PATIENCE)
        assert first.step(8, PATIENCE)
        assert robot.robot.stops == 0
        first.leave(PATIENCE)


def test_a_second_controller_at_a_broker_is_refused_and_hears_nothing_of_the_first(broker: Broker):
    url = broker.url("busy/rover")
    with serving(url) as robot:
        first, second = master_at(url), master_at(url)
        assert first.step(8, PATIENCE)
        second.set(VELOCITY, -9.0)
        with pytest.raises(RobotBusy):
            second.connect(PATIENCE)
        drive(first, robot.robot, 10)
        second.close()


@pytest.mark.parametrize("junk", [b"GET / HTTP/1.1\r\n\r\n", bytes(100), b"\xff" * 100, b"\5\0\0\0abcde"])
def test_who_speaks_something_else_at_tcp_does_no_harm(junk: bytes):
    import socket

    with serving("tcp://127.0.0.1") as robot:
        address = parse_url(robot.url)
        with socket.create_connection((address.host, address.port or 0), 5.0) as stranger:
            stranger.sendall(junk)
            drive(master_at(robot.url), robot.robot, 5)


def test_a_broker_that_is_killed_and_started_again(tmp_path: Path):
    broker = Broker(tmp_path)
    try:
        with serving(broker.url("rover")) as robot:
            master = master_at(broker.url("rover"))
            master.set(VELOCITY, 1.0)
            assert master.step(8, PATIENCE)
            broker.stop()
            assert master.step(8, 0.05) is None
            broker.start()
            assert master.step(8, PATIENCE), "the step that was not answered"
            master.set(VELOCITY, 2.0)
            assert master.step(8, PATIENCE)
            assert robot.robot.state == {"left motor.velocity": 2.0}
            master.leave(PATIENCE)
    finally:
        broker.stop()


def test_a_broker_shows_the_table_and_whether_the_robot_is_there(broker: Broker):
    import paho.mqtt.client as paho

    seen: dict[str, list[bytes]] = {"table": [], "state": []}
    arrived = threading.Semaphore(0)

    def note(client: object, data: object, message: paho.MQTTMessage) -> None:
        seen[message.topic.rpartition("/")[2]].append(message.payload)
        arrived.release()

    client = paho.Client(paho.CallbackAPIVersion.VERSION2)
    client.username_pw_set(broker.user, broker.password)
    client.on_message = note
    with serving(broker.url("shown/rover")):
        client.connect("127.0.0.1", broker.port)
        client.subscribe([("shown/rover/table", 1), ("shown/rover/state", 1)])
        client.loop_start()
        for _ in range(2):
            assert arrived.acquire(timeout=PATIENCE)
    assert arrived.acquire(timeout=PATIENCE)
    client.disconnect()
    client.loop_stop()
    assert seen["state"] == [b"online", b"offline"]
    assert json.loads(seen["table"][0]) == json.loads(ROVER.canonical())


@pytest.mark.parametrize("tls", [False, True])
def test_a_wrong_password_is_refused(broker: Broker, tls: bool):
    with pytest.raises(ConnectionLost, match="Not authorized"):
        connect(broker.url("rover", tls, password="guessed"))


# paho-mqtt leaves the socket whose handshake has failed to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_broker_with_a_foreign_certificate_is_refused(broker: Broker):
    url = broker.url("rover", tls=True).partition("?")[0]
    with pytest.raises(ConnectionLost, match="certificate verify failed"):
        connect(url)


def test_an_error_does_not_show_the_password(broker: Broker):
    with pytest.raises(LinkError) as error:
        connect(broker.url("rover", password="hunter2"))
    assert "hunter2" not in str(error.value)


# Wrappers.


def test_a_spy_writes_down_what_passes(tmp_path: Path):
    log = tmp_path / "log"
    with serving("tcp://127.0.0.1") as robot:
        drive(master_at(f"spy+{robot.url}?log={log}"), robot.robot, 2)
    lines = [line.split()[1:3] for line in log.read_text().splitlines()]
    assert lines[:4] == [[">", "Hello"], ["<", "Welcome"], [">", "Request"], ["<", "Reply"]]
    assert ROVER.short_hash in log.read_text()


def test_a_full_disk_ends_what_a_spy_writes_and_not_the_link(capsys: pytest.CaptureFixture[str]):
    with serving("tcp://127.0.0.1") as robot:
        drive(master_at(f"spy+{robot.url}?log=/dev/full"), robot.robot, 2)
    message = "spy: No space left on device: what passes is no longer written down\n"
    assert capsys.readouterr().err == message


def test_a_spy_prints_to_stderr_without_a_log(capsys: pytest.CaptureFixture[str]):
    with serving("loop://spied"):
        master = master_at("spy+loop://spied")
        master.connect(PATIENCE)
        master.close()
    assert " > Hello version=1" in capsys.readouterr().err


@pytest.mark.parametrize("wire", ["pty://", "tcp://127.0.0.1"])
def test_a_bad_real_wire_loses_nothing(wire: str):
    with serving(wire) as robot:
        url = f"fault+{robot.url}?seed=1&corrupt=0.03&lose=0.03&double=0.03&reorder=0.03"
        master = master_at(url)
        drive(master, robot.robot, 50)
        assert master.repeated > 0


# URLs.


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("/dev/ttyACM0", "expected for example serial:///dev/ttyUSB0"),
        ("serail:///dev/ttyACM0", 'did you mean "serial"'),
        ("ptys://host:1", 'unknown transport "ptys"'),
        ("tcp://host", "expected tcp[s]://[:TOKEN@]HOST:PORT"),
        ("tcp://host:99999", "not the address of a robot"),
        ("tcp://host:1?sed=1", 'unknown option "sed"; allowed: ca'),
        ("serial://", "expected serial://PORT"),
        ("serial:///dev/null?baut=9600", 'did you mean "baud"'),
        ("serial:///dev/null?baud=fast", 'option baud is "fast"'),
        ("fault+loop://x?corrupt=2", "expected 0 to 1"),
        ("spi+loop://x", 'did you mean "spy"'),
        ("tcp+loop://x", "tcp cannot wrap"),
        ("pty://", "pty cannot connect"),
        ("mqtt://broker", "expected mqtt"),
        ("mqtt://broker/robots/+", "expected mqtt"),
        ("mqtt://broker/a?qos=3", "expected 0, 1 or 2"),
        ("usb://12345:1", "expected usb://VENDOR:PRODUCT"),
        ("usb://1209:1?backend=none", 'unknown backend "none"'),
        ("usb://2e8a:a00x", "expected usb://VENDOR:PRODUCT"),
        ("[::", "not the address of a robot"),
        ("tcp://host:99999", '"99999" is not a port; allowed: 0 to 65535'),
        ("tcp://host:web", '"web" is not a port; allowed: 0 to 65535'),
    ],
)
def test_a_wrong_url_is_an_error_that_helps(url: str, words: str):
    with pytest.raises(AddressError) as error:
        connect(url)
    assert words in str(error.value)


@pytest.mark.parametrize(
    "url", ["serial:///dev/no-such-port", "tcp://127.0.0.1:9", "mqtt://127.0.0.1:9/x", "loop://nobody"]
)
def test_nobody_there_is_an_error_that_names_the_url(url: str):
    with pytest.raises(ConnectionLost) as error:
        connect(url)
    assert url in str(error.value)


def test_numbers_of_usb_are_hexadecimal():
    with pytest.raises(AddressError, match='unknown backend "none"'):
        connect("usb://2e8a:000a?backend=none")


def test_options_are_those_of_all_who_have_a_say():
    url = parse_url("spy+fault+serial:///dev/null?loose=1&baud=0&log=x&patience=2")
    with pytest.raises(AddressError) as error:
        transports.read_options(url, {"patience": float})
    assert 'unknown option "loose", did you mean "lose"?; allowed: patience, log, seed' in str(error.value)
    assert 'option baud is "0": expected the number of bits per second' in str(error.value)
    good = parse_url("fault+serial:///dev/null?lose=1&patience=2")
    own, rest = transports.read_options(good, {"patience": float})
    assert (own, dict(rest.options)) == ({"patience": 2.0}, {"lose": "1"})


def test_a_port_that_is_not_there_names_the_command_that_lists_ports():
    with pytest.raises(ConnectionLost, match="port /dev/no-such-port not found; `wbridge ports` lists"):
        connect("serial:///dev/no-such-port")


def test_the_link_of_a_robot_that_runs_is_left_alone(tmp_path: Path):
    url = f"pty://{tmp_path}/robot"
    with serving(url), pytest.raises(AddressError, match="already leads to /dev/"):
        transports.listen(url, ROVER)
    left_behind = tmp_path / "robot"
    left_behind.symlink_to("/dev/pts/no-such-terminal")
    with serving(url) as robot:
        assert master_at(robot.url).step(8, PATIENCE)


def test_listening_twice_in_one_place_is_an_error():
    with serving("loop://taken"), pytest.raises(AddressError, match="another robot"):
        transports.listen("loop://taken", ROVER)
    with serving("tcp://127.0.0.1") as robot, pytest.raises(ConnectionLost, match="another program"):
        transports.listen(robot.url, ROVER)


def test_wrappers_do_not_listen():
    with pytest.raises(AddressError, match="controller's end only"):
        transports.listen("spy+tcp://127.0.0.1", ROVER)


def test_each_transport_says_how_its_urls_look():
    assert set(transports.schemes()) == {
        *("fault", "loop", "mqtt", "page", "pty", "serial", "spy", "tcp", "usb")
    }
    assert all("://" in form for form in transports.forms().values())


def test_the_link_imports_no_package_of_a_transport_before_it_is_needed():
    import subprocess
    import sys

    code = (
        "import sys\nfrom wbridge.hal.link import master, server, slave, transports as t\n"
        "t.forms()\n"
        "print(sorted({'serial', 'paho', 'usb', 'asyncio', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
