"""Addresses of a firmware's variables: the same names in the controller's files do not confuse them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.building.symbols import symbols

FIRMWARE = "int bench_now = 1; int main(void) { return bench_now; }"
CONTROLLER = (
    "static volatile int bench_now; static volatile int own; int get(void) { return bench_now + own; }"
)


@pytest.mark.parametrize("order", [("firmware.c", "controller.c"), ("controller.c", "firmware.c")])
def test_only_global_names_have_addresses(order: tuple[str, str], tmp_path: Path):
    (tmp_path / "firmware.c").write_text(FIRMWARE)
    (tmp_path / "controller.c").write_text(CONTROLLER)
    program = tmp_path / "program"
    subprocess.run(["cc", *order, "-o", program], cwd=tmp_path, check=True)
    found = symbols(load_board("host"), program)
    listed = subprocess.run(
        ["nm", "--extern-only", program], capture_output=True, text=True, check=True
    ).stdout
    assert f"{found['bench_now']:016x} D bench_now" in listed
    assert "own" not in found
