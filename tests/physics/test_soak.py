"""Memory stays flat over many resets, and over many added and removed solids."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest

from tests.physics.worlds import FLOOR, NEW, box, simulation
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation

LIGHT = "mass 1 density -1"
SLACK_BYTES = 4 << 20


def resident() -> int:
    """Bytes of memory in use by this process."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def busy() -> Simulation:
    boxes = "".join(box(f"B{i}", f"translation 0 0 {1 + i}", "0.4 0.4 0.4", LIGHT) for i in range(3))
    return simulation(FLOOR + boxes, step_ms=8)


@pytest.mark.slow
def test_a_thousand_resets_keep_no_memory():
    s = busy()
    s.step(50)
    end = s.hash()
    for count in range(1200):
        if count == 200:
            before = resident()
        s.reset()
        s.step(50)
    assert s.hash() == end
    assert resident() - before < SLACK_BYTES


@pytest.mark.slow
def test_ten_thousand_added_and_removed_solids_keep_no_memory():
    s = busy()
    text = NEW + box("NEW", "translation 2 0 0.3", "0.1 0.1 0.1", LIGHT)
    for count in range(11000):
        if count == 1000:
            before = resident()
        (node,) = load_text(text, "import.wbt").nodes
        s.world.nodes.append(node)
        s.physics.added(node)
        s.step()
        s.world.nodes.remove(node)
        s.physics.removed(node)
    assert s.physics.engine.body_count == 4
    assert resident() - before < SLACK_BYTES


@pytest.mark.slow
def test_simulations_that_are_gone_keep_no_memory():
    for count in range(220):
        if count == 20:
            before = resident()
        s = busy()
        s.step(10)
    assert resident() - before < SLACK_BYTES
