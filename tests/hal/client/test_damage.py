"""Damaged answers never do more than end the controller with a message."""

from __future__ import annotations

import random

import pytest

from wbridge.hal import api
from wbridge.hal.client import native, session
from wbridge.hal.protocol.devices import codec_of
from wbridge.hal.protocol.dialect import NODES, R2025A
from wbridge.hal.protocol.loopback import Loopback, Peer, zeros
from wbridge.hal.protocol.packet import AnswerWriter, write_answer
from wbridge.hal.protocol.supervisor import robot_codec


def healthy(world: Loopback) -> bytes:
    """An answer with every plain message of the robot and of each device."""
    out = AnswerWriter().out
    codec = robot_codec(R2025A)
    for tag, one in enumerate([codec, *(peer.codec for peer in world.peers)]):
        for code, message in one.messages.items():
            try:
                values = tuple(zeros(message.layout).values())
            except ValueError:
                continue
            if code not in (0, 2):
                one.write_message(out, tag, code, values)
    return bytes(out)


@pytest.mark.parametrize("seed", range(4))
def test_damaged_answers(seed: int, capsys: pytest.CaptureFixture[str]):
    chance = random.Random(seed)
    for _ in range(60):
        world = Loopback([Peer(name, name) for name in NODES if codec_of(name)], supervisor=True)
        native.attach(world)
        assert api.wb_supervisor_node_get_root() is not None
        raw = bytearray(healthy(world))
        for _ in range(chance.randrange(1, 6)):
            raw[chance.randrange(len(raw))] = chance.randrange(256)
        cut = chance.choice((len(raw), chance.randrange(len(raw))))
        world._ready.append(write_answer(0, bytes(raw[:cut])))
        try:
            api.wb_robot_step(32)
        except SystemExit as end:
            assert end.code == 1
            assert "Lost the simulator" in capsys.readouterr().err
        session.cleanup()


def test_the_healthy_answer_is_taken():
    world = Loopback([Peer(name, name) for name in NODES if codec_of(name)], supervisor=True)
    native.attach(world)
    assert api.wb_supervisor_node_get_root() is not None
    world._ready.append(write_answer(0, healthy(world)))
    assert api.wb_robot_step(32) == 0
    session.cleanup()
