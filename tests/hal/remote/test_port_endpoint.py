"""A gateway where there are no local sockets: only who shows the secret at its place becomes the controller.

Judge: Webots' libraries begin with "CTR", a line feed and "Robot-Name: ", and the last part of the address.
"""

import socket
from hashlib import sha1
from typing import Any, cast

import pytest

from wbridge.hal.connection.address import URL
from wbridge.hal.gateway.start import PortEndpoint
from wbridge.hal.protocol.names import encoded_name

HEAD = "CTR\nRobot-Name: "


class Running:
    """A process that has not ended, or one that ends after some looks."""

    def __init__(self, looks: int = 1000) -> None:
        self._looks = looks

    def poll(self) -> int | None:
        self._looks -= 1
        return None if self._looks >= 0 else 0


def greets(endpoint: PortEndpoint, text: str) -> socket.socket:
    connection = socket.create_connection(endpoint.listener.getsockname())
    connection.settimeout(10)
    connection.sendall(text.encode())
    return connection


def address(endpoint: PortEndpoint) -> tuple[str, str]:
    """The robot's name and the secret, of the address that the controller gets."""
    robot, _, secret = endpoint.environment()[URL].rpartition("/")[2].rpartition("?token=")
    return robot, secret


def admitted(endpoint: PortEndpoint, looks: int = 1000) -> socket.socket | None:
    return endpoint.wait_for(cast(Any, Running(looks)))


@pytest.mark.parametrize("name", ["e-puck", "robot of Zoë"])
@pytest.mark.parametrize("times", [0, 1])
def test_the_controller_is_admitted_by_the_address_in_its_environment(name: str, times: int) -> None:
    endpoint = PortEndpoint(name)
    text = "{}?token={}".format(*address(endpoint))
    for _ in range(times):  # R2023b and later encode the last part of the address
        text = encoded_name(text)
    with endpoint.listener, greets(endpoint, HEAD + text) as controller:
        connection = admitted(endpoint)
        assert connection is not None
        with connection:
            assert controller.recv(20) == b"CONNECTED"


def test_a_long_name_with_its_secret_may_come_as_digits() -> None:
    endpoint = PortEndpoint("r" * 80)
    text = encoded_name("{}?token={}".format(*address(endpoint)))
    with endpoint.listener, greets(endpoint, HEAD + sha1(text.encode()).hexdigest()):
        connection = admitted(endpoint)
        assert connection is not None
        connection.close()


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "{robot}",
        HEAD + "{robot}?token=",
        HEAD + "{robot}?token={secret}0",
        HEAD + "{robot}?token=0{secret}",
        HEAD + "{robot}?token={other}",
        "CTR\n{secret}",
        "{secret}",
    ],
)
def test_strangers_who_do_not_show_the_secret_are_refused(text: str) -> None:
    endpoint = PortEndpoint("e-puck")
    robot, secret = address(endpoint)
    other = ("1" if secret[0] == "0" else "0") + secret[1:]
    with (
        endpoint.listener,
        greets(endpoint, text.format(robot=robot, secret=secret, other=other)) as stranger,
    ):
        assert admitted(endpoint, looks=1) is None
        assert stranger.recv(20) == b""
