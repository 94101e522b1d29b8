"""A board with Wi-Fi over TLS: it shows its own certificate, and controllers trust that one alone.

Judges: Python's ssl module (OpenSSL) at the other end of mbedTLS, which runs the sketch's code on this
computer with sanitizers; docs/robot-link.md, sections "Frames" and "Who can do what".
"""

from __future__ import annotations

import socket
import ssl
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import absent, require_tool
from tests.firmware.wifi import Driver, Proxy, Robot, Sketch, driver
from wbridge.hal.link.errors import AddressError, ConnectionLost, LinkError, Refused
from wbridge.hal.link.transports import connect
from wbridge.hal.link.url import parse_url
from wbridge.wbfirmware.building.certificates import FOR_BOARDS, FOR_CONTROLLERS, write_certificate

pytestmark = pytest.mark.boards
TOKEN = "let me drive"
IDLE = 12.0
"""Seconds after which a board has closed a connection that says nothing, with a reserve."""


@pytest.fixture(scope="module")
def sketch(tmp_path_factory: pytest.TempPathFactory) -> Sketch:
    if not Path("/usr/include/mbedtls/ssl.h").is_file():
        absent("libmbedtls-dev is not installed: it encrypts the link of sketches")
    require_tool("openssl", "makes certificates of boards")
    return Sketch(tmp_path_factory.mktemp("tls"), "esp32", 'wire = "tcps"', {"ROBOT_TOKEN": TOKEN})


@pytest.fixture
def robot(sketch: Sketch) -> Iterator[Robot]:
    with sketch.running() as board:
        yield board


def port_of(robot: Robot) -> int:
    """Where it listens."""
    return int(parse_url(str(robot.url)).port or 0)


def certificate(sketch: Sketch) -> Path:
    """What controllers know of it."""
    return sketch.folder / FOR_CONTROLLERS


def url(sketch: Sketch, port: int, token: str = "let%20me%20drive", trust: str = "") -> str:
    """For controllers."""
    return f"tcps://:{token}@127.0.0.1:{port}?{trust or f'cert={certificate(sketch)}'}"


def raw(robot: Robot) -> socket.socket:
    """A TCP connection."""
    return socket.create_connection(("127.0.0.1", port_of(robot)), IDLE)


def test_commands_and_readings_are_encrypted(sketch: Sketch, robot: Robot):
    with driver(robot, url(sketch, port_of(robot))) as controller:
        controller.drive(3.0, -6.0, 0.0, 12.0)
        assert controller.master.sessions == 1


def test_a_fingerprint_is_enough(sketch: Sketch, robot: Robot):
    der = ssl.PEM_cert_to_DER_cert(certificate(sketch).read_text())
    openssl = require_tool("openssl", "makes certificates of boards")
    said = subprocess.run(
        [openssl, "x509", "-inform", "DER", "-noout", "-fingerprint", "-sha256"],
        input=der,
        capture_output=True,
        check=True,
    ).stdout.decode()
    pin = said.strip().partition("=")[2]
    with driver(robot, url(sketch, port_of(robot), trust=f"sha256={pin}")) as controller:
        controller.drive(2.0)


def test_a_robot_with_another_certificate_hears_no_token(sketch: Sketch, robot: Robot, tmp_path: Path):
    """Somebody in between with a certificate of his own."""
    write_certificate(tmp_path)
    with pytest.raises(ConnectionLost, match="another certificate"):
        connect(url(sketch, port_of(robot), trust=f"cert={tmp_path / FOR_CONTROLLERS}"))


def test_without_a_pin_a_certificate_of_nobody_is_not_trusted(sketch: Sketch, robot: Robot):
    with pytest.raises(ConnectionLost, match=r"certificate|self.signed"):
        connect(f"tcps://:x@127.0.0.1:{port_of(robot)}")


@pytest.mark.parametrize("token", ["", "wrong", "let me driv", "let me drive!"])
def test_without_the_token_nobody_drives(sketch: Sketch, robot: Robot, token: str):
    stranger = Driver(robot, url(sketch, port_of(robot), token.replace(" ", "%20")))
    with pytest.raises(Refused, match="token"):
        stranger.master.connect(5.0)
    stranger.master.close()
    with driver(robot, url(sketch, port_of(robot))) as controller:
        controller.drive(3.0)


def test_nobody_drives_without_encryption(sketch: Sketch, robot: Robot):
    stranger = Driver(robot, f"tcp://:let%20me%20drive@127.0.0.1:{port_of(robot)}")
    with pytest.raises(LinkError):
        stranger.master.connect(1.0)
    stranger.master.close()
    robot.wait_for(0.0)


def test_old_versions_of_tls_are_refused(robot: Robot):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with pytest.warns(DeprecationWarning):
        context.minimum_version = ssl.TLSVersion.TLSv1
        context.maximum_version = ssl.TLSVersion.TLSv1_1
    context.set_ciphers("ALL:@SECLEVEL=0")
    with raw(robot) as plain, pytest.raises(OSError):
        context.wrap_socket(plain)


@pytest.mark.parametrize("said", [b"", b"\x16\x03\x01", b"GET / HTTP/1.1\r\n\r\n", bytes(300)])
def test_who_begins_no_handshake_locks_nobody_out(sketch: Sketch, robot: Robot, said: bytes):
    crowd = [raw(robot) for _ in range(5)]
    for plain in crowd:
        plain.sendall(said)
    with driver(robot, url(sketch, port_of(robot))) as controller:
        controller.drive(3.0, 4.0)
    for plain in crowd:
        plain.close()


def test_others_do_not_disturb_the_controller_that_drives(sketch: Sketch, robot: Robot):
    with driver(robot, url(sketch, port_of(robot))) as controller:
        controller.drive(2.0)
        crowd = [raw(robot) for _ in range(6)]
        controller.drive(*(float(k % 12) for k in range(50)))
        assert controller.master.sessions == 1
        for plain in crowd:
            plain.close()


def test_a_connection_that_closes_stops_the_motor_at_once(sketch: Sketch, robot: Robot):
    proxy = Proxy(lambda: port_of(robot))
    with driver(robot, url(sketch, proxy.port), watchdog=10_000) as controller:
        controller.drive(5.0)
        proxy.cut()
        robot.wait_for(0.0)
        controller.drive(4.0)  # it connects again by itself, and tells all that is in effect
        assert controller.master.sessions == 2
    proxy.close()


def test_a_link_that_dies_silently_stops_the_motor_and_locks_nobody_out(sketch: Sketch, robot: Robot):
    proxy = Proxy(lambda: port_of(robot))
    with driver(robot, url(sketch, proxy.port), watchdog=500) as controller:
        controller.drive(5.0)
        proxy.freeze()
        robot.wait_for(0.0)
        with driver(robot, url(sketch, port_of(robot))) as other:
            other.drive(-3.0, 3.0)
    proxy.close()


def test_a_changed_byte_ends_the_connection(sketch: Sketch, robot: Robot):
    with driver(robot, url(sketch, port_of(robot)), watchdog=10_000) as controller:
        controller.drive(5.0)
        tls = controller.pipes[-1].pipe.pipe._socket  # type: ignore[attr-defined]
        socket.socket.send(tls, b"\x17\x03\x03\x00\x20" + bytes(32))  # a record without a valid check
        robot.wait_for(0.0)
        controller.drive(3.0)
        assert controller.master.sessions == 2


def test_the_key_is_for_its_owner_and_stays(sketch: Sketch, tmp_path: Path):
    header = sketch.folder / FOR_BOARDS
    assert stat.S_IMODE(header.stat().st_mode) == 0o600
    assert "PRIVATE KEY" not in certificate(sketch).read_text()
    assert FOR_BOARDS in (sketch.folder / ".gitignore").read_text().split()
    before = header.read_text()
    write_certificate(sketch.folder)
    assert header.read_text() == before


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ("ca=a&cert=b", "give one of them|No such file"),
        ("sha256=12", "hexadecimal digits"),
        ("cert=/dev/null", "BEGIN CERTIFICATE"),
    ],
)
def test_wrong_options_are_explained(options: str, why: str):
    with pytest.raises(AddressError, match=why):
        connect(f"tcps://:x@127.0.0.1:1?{options}")
    with pytest.raises(AddressError, match="is for TLS"):
        connect("tcp://:x@127.0.0.1:1?sha256=" + 64 * "0")
