"""Where a simulator is: environment, URLs, folders and names."""

from __future__ import annotations

import hashlib
import socket
from pathlib import Path

import pytest

from wbridge.hal.connection import address
from wbridge.hal.connection.address import (
    Address,
    AddressError,
    encoded_name,
    folder_names,
    from_environment,
    parse_url,
)
from wbridge.hal.connection.connect import CannotConnect, connect


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("", Address("ipc")),
        ("my robot", Address("ipc", "my robot")),
        ("ipc://1234", Address("ipc", "", "1234")),
        ("ipc://1234/a b", Address("ipc", "a b", "1234")),
        ("tcp://host:1234/r", Address("tcp", "r", "", "host", 1234)),
        ("tcp://10.0.0.1:80", Address("tcp", "", "", "10.0.0.1", 80)),
        ("tcp://h:80/a b?token=t-1", Address("tcp", "a b", "", "h", 80, "t-1")),
        ("tcp://h:80/a%20b%3Ftoken%3Dt", Address("tcp", "a%20b", "", "h", 80, "t")),
        ("tcp://h:80/?token=t", Address("tcp", "", "", "h", 80, "t")),
        ("tcp://h:80?token=t", Address("tcp", "", "", "h", 80, "t")),
        ("ipc://1234/a?token=t", Address("ipc", "a", "1234")),
    ],
)
def test_urls(url: str, expected: Address):
    assert parse_url(url) == expected


@pytest.mark.parametrize(
    "url", ["ipc://x", "tcp://host", "tcp://:1", "tcp://h:0", "tcp://h:70000", "udp://h:1"]
)
def test_other_urls_are_refused_with_the_forms_that_are_allowed(url: str):
    with pytest.raises(AddressError, match="expected ipc://1234/robot"):
        parse_url(url)


def test_a_wrong_url_is_shown_without_its_token():
    with pytest.raises(AddressError, match=r'is "tcp://host/r\?token=\*\*\*"; expected') as caught:
        parse_url("tcp://host/r?token=secret")
    assert "secret" not in str(caught.value)


def test_the_environment_gives_the_token_that_an_address_lacks():
    environment = {"WEBOTS_CONTROLLER_URL": "tcp://h:1/r", "WBRIDGE_CONTROLLER_TOKEN": "t"}
    assert from_environment(environment).token == "t"
    environment["WEBOTS_CONTROLLER_URL"] += "?token=u"
    assert from_environment(environment).token == "u"
    environment["WEBOTS_CONTROLLER_URL"] = "ipc://1/r"
    assert from_environment(environment).token == ""


def test_a_controller_of_the_simulator_does_not_look_at_the_url():
    environment = {
        "WEBOTS_INSTANCE_PATH": "/i/",
        "WEBOTS_ROBOT_NAME": "r",
        "WEBOTS_CONTROLLER_URL": "ipc://1/x",
    }
    assert from_environment(environment) == Address("intern", "r", "/i/")


def test_names_are_encoded_byte_by_byte():
    assert encoded_name("e-puck_1~.") == "e-puck_1~."
    assert encoded_name("a b/\u00e9%") == "a%20b%2F%C3%A9%25"


def test_long_names_become_digits_as_the_releases_want():
    name = "n" * 80
    digits = hashlib.sha1(name.encode()).hexdigest()
    assert folder_names(name, 41) == [name, digits, digits[:40]][: 2 + (digits[:40] != digits)]
    assert folder_names(name, 71) == [name, digits, digits[:20]]
    assert folder_names("short", 41) == ["short"]


def waiting(folder: Path, *robots: str) -> list[socket.socket]:
    made = []
    for robot in robots:
        place = folder / "ipc" / robot
        place.mkdir(parents=True)
        made.append(socket.socket(socket.AF_UNIX))
        made[-1].bind(str(place / "extern"))
        made[-1].listen(1)
    return made


def test_the_only_robot_is_found_and_of_several_one_must_be_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(address, "instance_roots", lambda environment: [(tmp_path, "")])
    sockets = waiting(tmp_path / "7", "a")
    connect(Address("ipc")).close()
    sockets += waiting(tmp_path / "7", "b%20c")
    with pytest.raises(AddressError, match=r"several robots wait for a controller: a, b%20c"):
        connect(Address("ipc", "", "7"))
    connect(Address("ipc", "b c", "7")).close()
    connect(Address("ipc", "b%20c", "7")).close()
    for one in sockets:
        one.close()


def test_a_simulator_that_does_not_come_is_waited_for_and_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(address, "instance_roots", lambda environment: [(tmp_path, "")])
    naps: list[float] = []
    expected = r'no simulator that has the robot "r" in instance 7 \(no robot waits .*; gave up after 3'
    with pytest.raises(CannotConnect, match=expected):
        connect(Address("ipc", "r", "7"), attempts=3, sleep=naps.append)
    assert naps == [1.0, 1.0]
    assert capsys.readouterr().err.count("retrying") == 1


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("ipc://7/e-puk", 'in instance 7 (waiting: ipc://7/e-puck, ipc://8/b%20c; did you mean "e-puck"?)'),
        ("ipc://9/b c", "in instance 9 (waiting: ipc://7/e-puck, ipc://8/b%20c)"),
        ("zzz", '"zzz" (waiting: ipc://7/e-puck, ipc://8/b%20c)'),
        ("tcp://localhost:1/e-puck", "(waiting: tcp://localhost:7/e-puck, tcp://localhost:8/b%20c)"),
    ],
)
def test_robots_that_wait_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str, said: str):
    monkeypatch.setattr(address, "instance_roots", lambda environment: [(tmp_path, ""), (tmp_path, "old-")])
    sockets = [*waiting(tmp_path / "7", "e-puck"), *waiting(tmp_path / "8", "b%20c")]
    sockets += [*waiting(tmp_path / "old-8", "b%20c"), *waiting(tmp_path / "other", "f")]
    with pytest.raises(CannotConnect) as caught:
        connect(parse_url(url), attempts=1)
    assert said in str(caught.value)
    for one in sockets:
        one.close()


def test_many_robots_are_not_all_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(address, "instance_roots", lambda environment: [(tmp_path, "")])
    sockets = waiting(tmp_path / "7", *(f"r{number}" for number in range(9)))
    with pytest.raises(CannotConnect, match=r"ipc://7/r7, \.\.\.\)"):
        connect(Address("ipc", "x", "7"), attempts=1)
    for one in sockets:
        one.close()


def test_loading_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(address, "instance_roots", lambda environment: [(tmp_path, "")])
    marker = tmp_path / "7" / "loading"
    marker.parent.mkdir()
    marker.touch()
    naps: list[float] = []

    def sleep(seconds: float) -> None:
        naps.append(seconds)
        if len(naps) == 5:
            marker.unlink()

    with pytest.raises(CannotConnect):
        connect(Address("ipc", "r", "7"), attempts=2, sleep=sleep)
    assert len(naps) == 6
