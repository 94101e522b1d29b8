"""The C library under sanitizers of memory and behavior: usual calls, and what nobody should send."""

from __future__ import annotations

import random
import struct
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.c.answers import check, recorded_calls
from tests.c.calling import caller_source, in_c
from tests.c.sanitizing import link
from tests.c.test_calls import world
from wbridge.hal.protocol.codec import HEAD
from wbridge.hal.protocol.dialect import DIALECTS
from wbridge.hal.protocol.loopback import Loopback
from wbridge.hal.protocol.packet import AnswerWriter, write_request
from wbridge.hal.protocol.supervisor import robot_codec

HERE = Path(__file__).parent
CASES = 12_000
UNTOLD = ("constants", "image_file", "segmentation_file", "quit", "state")
"""Messages that need content, end the conversation, or belong to remote control."""
SPECIAL = {"joystick": struct.pack("<iii", -1, -1, -1), "image": bytes(12)}
"""Content that is longer than the shortest one, or has a meaning."""
LARGEST = 60_000
"""Bytes that fit into a socket without a reader."""


@pytest.mark.parametrize("tcp", [False, True])
def test_calls_touch_no_memory_that_is_not_theirs(sanitized: list[str], tmp_path: Path, tcp: bool):
    source = tmp_path / "caller.c"
    source.write_text(caller_source())
    program = link(sanitized, source, tmp_path)
    check("devices_0", in_c(program), recorded_calls("devices_0", list), tmp_path, world(tcp))


def answers(tcp: bool, dialect: str) -> bytes:
    """A conversation as a simulator would have it: all devices, all messages of the supervisor."""
    made = world(tcp, dialect)()
    out = b""
    for k in range(4):
        made.send(write_request(32 if k else 0))
        answer = made.answer()
        writer = AnswerWriter(answer.delay)
        writer.out += answer.data
        if k:
            writer.out += everything(made)
            if tcp:
                writer.image(4, 0, bytes(32))
        out += writer.tcp() if tcp else writer.local()
    return out


def everything(made: Loopback) -> bytes:
    """One message of each plain kind, with zeros."""
    out = bytearray()
    codecs = [(0, robot_codec(made.dialect)), *((peer.tag, peer.codec) for peer in made.peers)]
    for tag, codec in codecs:
        for code, message in codec.messages.items():
            if message.name not in UNTOLD:
                out += HEAD.pack(tag, code) + SPECIAL.get(message.name, bytes(message.layout.least))
    return bytes(out)


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Bytes with some changed, cut off, doubled or made up."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8))):
        at = rng.randrange(len(out))
        kind = rng.randrange(5)
        if kind == 0:
            out[at] = rng.randrange(256)
        elif kind == 1:
            out[at : at + 4] = struct.pack(
                "<i", rng.choice((-1, 0, 1, 2**31 - 1, 65536, rng.randrange(2**31)))
            )
        elif kind == 2:
            del out[at : at + rng.randrange(1, 9)]
        elif kind == 3:
            out[at:at] = rng.randbytes(rng.randrange(1, 9))
        else:
            del out[at:]
        out = out or bytearray(b"\0")
    return bytes(out[:LARGEST])


def conversations() -> list[tuple[bool, bytes]]:
    """One for each dialect and transport."""
    return [(tcp, answers(tcp, dialect)) for tcp in (False, True) for dialect in DIALECTS]


def cases() -> Iterator[tuple[bool, bytes]]:
    """Damaged conversations, and noise."""
    rng = random.Random(5)
    whole = conversations()
    for _ in range(CASES):
        tcp, data = rng.choice(whole)
        yield tcp, damaged(data, rng)
    for _ in range(CASES // 4):
        data = rng.randbytes(rng.randrange(1, 200))
        yield False, struct.pack("<ii", len(data) + 8, 0) + data


@pytest.fixture(scope="module")
def decoder(sanitized: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return link(sanitized, HERE / "fuzz_decoder.c", tmp_path_factory.mktemp("decoder"))


def decoded(program: Path, given: Iterable[tuple[bool, bytes]], file: Path) -> tuple[int, int]:
    """How many answers the decoder accepts and refuses."""
    file.write_bytes(b"".join(struct.pack("<?I", tcp, len(data)) + data for tcp, data in given))
    done = subprocess.run([str(program), str(file)], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    accepted, refused = map(int, done.stdout.split())
    return accepted, refused


def test_all_messages_of_all_releases_are_understood(decoder: Path, tmp_path: Path):
    assert decoded(decoder, conversations(), tmp_path / "cases") == (4 * 6, 0)


def test_no_answer_harms_the_controller(decoder: Path, tmp_path: Path):
    accepted, refused = decoded(decoder, cases(), tmp_path / "cases")
    assert accepted > CASES / 2
    assert refused > CASES / 4
