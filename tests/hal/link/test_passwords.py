"""Passwords and tokens: where they come from, and that nothing shows them.

Judge: RFC 3986, section 3.2.1 (passwords in clear text should not be shown); docs/robot-link.md, "URLs".
"""

from __future__ import annotations

from pathlib import Path

import pytest

from wbridge import main
from wbridge.hal.link.errors import AddressError
from wbridge.hal.link.messages import Token, encode
from wbridge.hal.link.transports import check_place, connect, spy
from wbridge.hal.link.url import parse_url, without_password
from wbridge.hal.printable import keep_secret, printable

SECRET = "s3cr3t-Pass"
WRONG = [
    f"mqtt://ann:{SECRET}@broker:port/robots/ann",
    f"mqtt://ann:{SECRET}@broker:99999/robots/ann",
    f"mqtt://ann:{SECRET}/x@broker/robots/ann",
    f"mqtt://ann:{SECRET}?x@broker/robots/ann",
    f"mqtt://ann:{SECRET}@broker/robots/ann?qos",
    f"mqtt://ann:{SECRET}@broker/robots/ann?quos=1",
    f"mqtt://ann:{SECRET}@broker",
    f"mqtt://ann:{SECRET}@[broker/robots/ann",
    f"mqt://ann:{SECRET}@broker/robots/ann",
    f"ann:{SECRET}@broker",
    f"://ann:{SECRET}@broker",
    f"/dev/x://ann:{SECRET}@y",
    f"tcp://:{SECRET}@host",
    f"tcp://:{SECRET}@127.0.0.1:1",
    f"tcps://:{SECRET}@127.0.0.1:1?ca=/none",
    f"spy+tcp://:{SECRET}@127.0.0.1:1?log=/none/none",
    f"fault+tcp://:{SECRET}@127.0.0.1:1?sead=1",
    f"tcp://ann:{SECRET}@127.0.0.1:1?password_env=HOME",
]


@pytest.mark.parametrize("url", WRONG)
def test_messages_about_an_address_do_not_show_its_password(url: str):
    for use in (check_place, connect):
        try:
            use(url)
        except (AddressError, OSError) as error:
            assert SECRET not in str(error)
            assert (
                error.__context__ is None
                or error.__suppress_context__
                or SECRET not in str(error.__context__)
            )


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("mqtt://ann:pw@broker/x", "mqtt://ann:***@broker/x"),
        ("tcp://:pw@h:1", "tcp://:***@h:1"),
        ("mqtt://ann:p@ss@broker/x", "mqtt://ann:***@broker/x"),
        ("mqtt://ann@broker/x", "mqtt://ann@broker/x"),
        ("serial:///dev/ttyUSB0", "serial:///dev/ttyUSB0"),
        ("usb://1209:0001", "usb://1209:0001"),
    ],
)
def test_addresses_are_shown_without_passwords(url: str, shown: str):
    assert without_password(url) == shown
    assert parse_url(url).text == shown


def test_a_topic_may_contain_an_at_sign():
    url = parse_url("mqtt://broker:1883/robots/a@b")
    assert (url.host, url.port, url.path, url.password) == ("broker", 1883, "/robots/a@b", "")


def test_a_password_comes_from_a_file_or_a_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = tmp_path / "password"
    file.write_text(f"{SECRET}\nmore\n")
    url = parse_url(f"mqtt://ann@broker/x?qos=0&password_file={file}")
    assert (url.user, url.password, dict(url.options)) == ("ann", SECRET, {"qos": "0"})
    monkeypatch.setenv("MY_TOKEN", SECRET)
    assert parse_url("tcp://h:1?password_env=MY_TOKEN").password == SECRET


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("password_file=/none", "password_file: cannot read /none"),
        ("password_file={empty}", "the first line of .* is empty"),
        ("password_env=NOT_SET_HERE", "the environment variable NOT_SET_HERE is not set"),
        ("password_env=HOME&password_file={empty}", "are both given"),
    ],
)
def test_places_without_a_password_are_errors(tmp_path: Path, options: str, words: str):
    (tmp_path / "empty").touch()
    with pytest.raises(AddressError, match=words):
        parse_url("mqtt://ann@broker/x?" + options.format(empty=tmp_path / "empty"))


def test_what_is_printed_hides_secrets():
    keep_secret("tok-abcdef")
    assert printable("x tok-abcdef y") == "x *** y"
    assert (
        printable(f'cannot reach "mqtt://ann:{SECRET}@broker/x"') == 'cannot reach "mqtt://ann:***@broker/x"'
    )
    plain = "http://127.0.0.1:8765/textures/a@2x.png and ann@example.org at 10:30"
    assert printable(plain) == plain


def test_the_spy_does_not_print_tokens():
    message = encode(Token(SECRET.encode()))
    damaged = message[:-1] + bytes([message[-1] ^ 1])
    for data in (message, damaged):
        text = spy.describe(data)
        assert SECRET not in text and SECRET.encode().hex(" ") not in text


def test_a_traceback_hides_passwords(capsys: pytest.CaptureFixture[str]):
    try:
        raise ValueError(f"mqtt://ann:{SECRET}@broker/x \x1b[2J")
    except ValueError as error:
        main._print_traceback(type(error), error, error.__traceback__)
    text = capsys.readouterr().err
    assert "Traceback" in text and "mqtt://ann:***@broker/x" in text
    assert SECRET not in text.replace("{SECRET}", "") and "\x1b" not in text
