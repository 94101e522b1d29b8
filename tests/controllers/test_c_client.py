"""Controllers in Python by the binding of the C library: the same runs, messages and ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from wbridge.main import main

WORLDS = ("epuck_arena", "nao", "lidar_mapping", "star_painter", "bmw_x5", "motion_playback")
"""Sample worlds with motors, distances, pictures, a car, a supervisor, and motions."""


@pytest.fixture
def in_c(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let processes use the C library."""
    monkeypatch.setenv("WBRIDGE_CLIENT", "c")


@pytest.mark.parametrize("world", WORLDS)
def test_sample_worlds_run_bit_by_bit_as_with_the_client_in_python(
    world: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Poses, commands and readings of every step."""
    records = []
    for client in ("python", "c"):
        monkeypatch.setenv("WBRIDGE_CLIENT", client)
        record = tmp_path / f"{client}.csv"
        path = CHECKOUT / "worlds" / f"{world}.wbt"
        assert main(["run", str(path), "--steps", "40", "-q", "--record", str(record)]) == 0
        records.append(record.read_bytes())
    assert records[0] == records[1]
