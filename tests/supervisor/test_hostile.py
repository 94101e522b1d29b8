"""Controllers that send nonsense: warnings, no exceptions, and a world that goes on."""

from __future__ import annotations

import gc
import math
import random
import weakref
from typing import Any

import pytest

from tests.supervisor.bench import ARM, BALL, FLOOR
from wbridge.hal.protocol.dialect import R2023A, R2025A
from wbridge.hal.protocol.fields import MF, VALUES
from wbridge.hal.protocol.layout import Layout
from wbridge.hal.protocol.packet import write_request
from wbridge.hal.protocol.supervisor import robot_codec

FIRST, LAST = 50, 103
NUMBERS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 20, 99, 2**31 - 1, 2**32 - 1, 2**31)
REALS = (0.0, 1.0, -1.0, 0.5, 1e-300, 1e300, math.nan, math.inf, -math.inf, 100.0)
TEXTS = ("", "BALL", "ARM.HINGE", "__init__", "a", "\udcff", "Solid { }", "DEF X Group {", "x" * 3000, "./..")
TEXTS += ("USE BALL", "DEF BALL Solid { children [ USE BALL ] }", "translation", "children", "%<= 1 >%")
QUIET = (54, 80, 81, 82)
"""Not sent: they end the run, write files, or are no concern of supervisors."""


def numbers(dice: random.Random, kind: str) -> Any:
    if kind in "df":
        return dice.choice(REALS)
    if kind == "?":
        return dice.random() < 0.5
    limit = {"B": 2**8, "b": 2**7, "H": 2**16, "h": 2**15, "I": 2**32, "i": 2**31}[kind]
    value = dice.choice(NUMBERS)
    return value % limit if kind.isupper() or dice.random() < 0.7 else -(value % limit)


def value_of(dice: random.Random, part: Any) -> list[Any]:
    kind = type(part).__name__
    if kind == "Numbers":
        return [numbers(dice, one) for one in part.struct.format.lstrip("<")]
    if kind == "Vector":
        return [tuple(numbers(dice, "d") for _ in range(part.least // 8))]
    if kind == "SetValue":
        type_ = dice.choice((1, 2, 3, 4, 5, 6, 7, 8, 17, 18, 19, 21, 24))
        layout = VALUES[type_ & ~MF]
        return [type_, dice.choice((-1, 0, 1, 5, 2**31 - 1)), *values_of(dice, layout)]
    if kind == "RestOfBlock":
        return [dice.choice(TEXTS).encode("utf-8", "replace") + dice.choice((b"\0", b"", b"\0\0\0\0"))]
    if kind == "Optional":
        return [dice.choice((None, *values_of(dice, part.layout)))]
    return [dice.choice(TEXTS)]


def values_of(dice: random.Random, layout: Layout) -> list[Any]:
    return [value for part in layout.parts for value in value_of(dice, part)]


def nonsense(dice: random.Random, dialect: Any) -> bytes:
    codec = robot_codec(dialect)
    out = bytearray()
    for _ in range(dice.randrange(1, 4)):
        code = dice.choice([one for one in codec.commands if FIRST <= one <= LAST and one not in QUIET])
        codec.write_command(out, code, values_of(dice, codec.commands[code].layout))
    if dice.random() < 0.1:
        out = out[: dice.randrange(len(out) + 1)]
    return bytes(out)


@pytest.mark.parametrize("dialect", [R2025A, R2023A])
@pytest.mark.parametrize("seed", range(6))
def test_nonsense_does_no_harm(bench, dialect, seed, tmp_path):
    dice = random.Random(seed)
    b = bench(BALL + ARM + FLOOR, dialect=dialect, path=tmp_path / "test.wbt")
    b.simulation.view_size = (64, 36)
    scene = b.client.scene
    for name in ("BOSS", "BALL", "ARM", "HINGE", "LINK", "FLOOR", "COLOR", "MASS", "VIEW"):
        scene.get_from_def(name)
    link = b.lockstep.session(b.robot).exchange
    for turn in range(400):
        answer = link.feed(write_request(0, [(0, nonsense(dice, dialect))]))
        assert answer
        if turn % 5 == 0:
            b.simulation.step()
            b.robot.sample()
    assert all(math.isfinite(one) for one in b.simulation.physics.engine.positions.flat)
    b.simulation.reset()
    b.simulation.step()


def test_a_removed_device_is_not_used_by_its_controller(bench):
    b = bench(ARM.replace('"<none>"', '"<extern>"'))
    arm = b.connect("arm")
    motor = b.of(arm, "motor")
    motor.set_position(1.0)
    b.step(2)
    b.api.getFromDef("HINGE").remove()
    motor.set_position(0.0)
    motor.set_velocity(1.0)
    assert b.step(3) == 0


def test_a_reset_after_a_static_solid_got_a_velocity(bench):
    b = bench(FLOOR + BALL.replace("boundingObject Sphere { radius 0.1 }", "").replace("BALL", "SIGN"))
    b.get("SIGN", "physics").removeSF()
    b.tick()
    b.api.getFromDef("SIGN").setVelocity([1, 0, 0, 0, 0, 0])
    b.tick(5)
    b.api.simulationReset()
    b.tick()
    assert b.api.getFromDef("SIGN").getPosition() == pytest.approx([1, 2, 3])


def test_nodes_of_the_supervisors_own_inside_can_go(bench):
    b = bench()
    b.api.getFromDef("CAM").remove()
    assert b.api.getFromDevice(b.api.getDevice("cam")) is None
    assert b.tick(2) == 0


def test_objects_of_removed_nodes_are_freed(bench):
    b = bench()
    children = b.api.getRoot().getField("children")
    seen = []
    for _ in range(3):
        children.importMFNodeFromString(-1, BALL)
        ball = b.api.getFromDef("BALL")
        seen += [weakref.ref(ball), weakref.ref(ball.getField("name"))]
        assert b.api.getFromDef("BALL") is ball
        ball.remove()
    del ball
    gc.collect()
    assert [one() for one in seen] == [None] * 6


def test_hundreds_of_additions_leave_no_trace(bench):
    b = bench(FLOOR)
    children = b.api.getRoot().getField("children")
    for _ in range(300):
        children.importMFNodeFromString(-1, BALL)
        b.tick()
        children.removeMF(-1)
    assert len(b.simulation.nodes._numbers) < 20
    assert len(b.simulation.node_states) == 0
    assert b.simulation.edits.journal.added == []
    assert len(b.simulation.physics.plan.parts) == 2
