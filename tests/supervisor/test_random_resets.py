"""Whatever supervisors set and add: behind a reset the run is the first one again, bit by bit."""

from __future__ import annotations

import random

import pytest

from tests.supervisor.bench import ARM, BALL, FLOOR, Bench
from wbridge.hal.protocol.fields import MF
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.places import field_names
from wbridge.wbcore.scene.schema import FieldSpec
from wbridge.wbcore.supervisor.wire import type_number

SET, INSERT = 62, 89
STEPS = 20
KEPT = ("controller", "controllerArgs", "customData", "basicTimeStep")
"""Fields that a reset leaves, or that make the run another one before it."""
VALUES = {1: [True, False], 2: [0, 1, 3], 3: [0.0, 0.5, 2.0], 8: ["", "name"]}
WIDTHS = {4: 2, 5: 3, 6: 4, 7: 3}
TEXTS = (
    'Solid { name "more" translation 0 0 4 boundingObject Box { } physics Physics { } }',
    "Physics { density -1 mass 3 }",
    'HingeJoint { device RotationalMotor { name "m2" } endPoint Solid { name "x" physics Physics { } } }',
    "Shape { geometry Box { } }",
    'Robot { name "new" controller "<none>" children [ Accelerometer { } ] }',
)


def text_or_value(dice: random.Random, spec: FieldSpec) -> object:
    single = type_number(spec) & ~MF
    if single in WIDTHS:
        return tuple(dice.choice((0.0, 0.5, 1.0, 2.0)) for _ in range(WIDTHS[single]))
    return dice.choice(VALUES[single])


def change(b: Bench, dice: random.Random, node: Node) -> None:
    names = field_names(node)
    at = dice.randrange(len(names))
    spec, number = node.spec.fields[names[at]], b.simulation.nodes.number(node)
    if spec.is_node:
        data = dice.choice(TEXTS).encode() + b"\0"
        b.queue(INSERT, number, at, 0 if spec.is_list else -1, data)
    elif names[at] not in KEPT:
        item = 0 if spec.is_list else -1
        b.queue(SET, number, at, type_number(spec), item, text_or_value(dice, spec))
    b.api.step(0)


@pytest.mark.parametrize("seed", range(12))
def test_the_run_after_a_reset_is_the_first_one(bench, seed):
    b = bench(BALL + ARM + FLOOR)
    dice, simulation = random.Random(seed), b.simulation
    simulation.step(STEPS)
    first = simulation.hash()
    simulation.reset()
    defs = ("BALL", "ARM", "HINGE", "TURN", "LINK", "FLOOR", "MASS", "ROUND", "COLOR", "BOSS")
    nodes = [simulation.nodes.root, simulation.world.nodes[0], *(b.node(name) for name in defs)]
    for turn in range(40):
        change(b, dice, dice.choice(nodes))
        if turn % 5 == 0:
            simulation.step()
    simulation.step()
    simulation.reset()
    simulation.step(STEPS)
    assert simulation.hash() == first
