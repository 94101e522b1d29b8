"""The examples of the specification and of the test data are true."""

import json
import math
import re
from typing import Any

import pytest

from tests.project.files import CHECKOUT
from wbridge.hal.link import messages as m
from wbridge.hal.link.framing import CobsDecoder, LengthDecoder, cobs_decode, crc16
from wbridge.hal.link.numbering import Numbering
from wbridge.hal.link.transports import forms
from wbridge.hal.link.values import REAL32, REAL64, decode_value
from wbridge.hal.table import DeviceTable

VECTORS: dict[str, Any] = json.loads((CHECKOUT / "hal" / "link" / "vectors.json").read_text())
PAGE = (CHECKOUT / "docs" / "robot-link.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```hex ([\w ]+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
NUMBERING = Numbering(DeviceTable.from_json(VECTORS["table"]))


def listed(text: str) -> bytes:
    """The bytes at the beginning of each line."""
    found = (re.match(r"(?:[0-9a-f]{2} ?)+(?=  |$)", line) for line in text.splitlines())
    return bytes.fromhex("".join(one[0] for one in found if one))


def test_the_page_has_examples():
    messages = ["Hello", "Welcome", "Request", "Reply"]
    assert [name for name, _ in EXAMPLES] == [*messages, "serial Request", "serial Reply"]


@pytest.mark.parametrize(("name", "text"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_an_example_of_the_page_is_in_the_test_data(name: str, text: str):
    *serial, kind = name.split()
    first = next(one for one in VECTORS["messages"] if one["kind"] == kind)
    assert listed(text).hex() == first["serial" if serial else "message"]


def test_the_page_lists_every_kind_of_message_and_type_of_value():
    rows = dict(re.findall(r"^\| (\d) (\w+) \|", PAGE, re.MULTILINE))
    assert {int(code): name for code, name in rows.items()} == {
        code: kind.__name__ for code, kind in m._KINDS.items()
    }
    from wbridge.hal.table import TYPES

    entries = PAGE.partition("| one element |")[2].partition("\n\n")[0]
    assert all(re.search(rf"\| .*\b{one}\b.* \|", entries) for one in TYPES)


def test_the_page_shows_every_transport():
    urls = re.findall(r"^\| `(\w+)[+:]", PAGE, re.MULTILINE)
    assert sorted(urls) == sorted(forms())


@pytest.mark.parametrize("one", VECTORS["framing"]["crc16"], ids=lambda one: one["data"][:16])
def test_crc16(one: dict[str, Any]):
    assert crc16(bytes.fromhex(one["data"])) == one["crc"]


@pytest.mark.parametrize("one", VECTORS["framing"]["cobs"], ids=lambda one: one["data"][:16])
def test_cobs(one: dict[str, Any]):
    assert cobs_decode(bytes.fromhex(one["stuffed"])).hex() == one["data"]


@pytest.mark.parametrize("one", VECTORS["messages"], ids=lambda one: one["kind"])
def test_messages(one: dict[str, Any]):
    data = bytes.fromhex(one["message"])
    message = m.decode(data)
    assert type(message).__name__ == one["kind"]
    fields = {name: v.hex() if isinstance(v, bytes) else v for name, v in message._asdict().items()}
    assert fields == one["fields"]
    assert CobsDecoder().feed(bytes.fromhex(one["serial"])) == [data]
    assert LengthDecoder().feed(bytes.fromhex(one["tcp"])) == [data]


@pytest.mark.parametrize("one", VECTORS["entries"], ids=lambda one: one["channel"])
def test_entries(one: dict[str, Any]):
    channel = next(c for c in NUMBERING.channels if c.label == one["channel"])
    for name, real in (("real4", REAL32), ("real8", REAL64)):
        data = bytes.fromhex(one[name])
        assert int.from_bytes(data[:2], "little") == channel.number
        value, end = decode_value(channel, data, 2, real)
        assert end == len(data)
        if real == REAL64:
            assert value == pytest.approx(
                math.inf if one["value"] == "inf" else tuple(v) if isinstance(v := one["value"], list) else v
            )


def test_the_session_shows_every_answer_that_a_robot_can_give():
    answers = [m.decode(bytes.fromhex(one["answer"])) for one in VECTORS["session"] if one["answer"]]
    assert {type(one).__name__ for one in answers} == {"Welcome", "Refusal", "Reply"}
    by_listeners = {m.REFUSED_TOKEN, m.REFUSED_TOPIC}  # before a message comes to the robot itself
    assert {one.reason for one in answers if isinstance(one, m.Refusal)} == set(m.REASONS) - by_listeners
    assert all(len(bytes.fromhex(one["answer"] or "")) <= 64 for one in VECTORS["session"])
