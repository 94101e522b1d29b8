"""Cars are driven from C and C++ as from Python: bit for bit, in the same world."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.peers.drives import MODELS, differences, drive, drive_in_python, world
from wbridge.libcontroller.compiling import compile_controller

CONTROLLERS = Path(__file__).parent / "controllers"


@pytest.mark.parametrize(
    "model", [pytest.param(one, marks=[pytest.mark.slow] * (k > 0)) for k, one in enumerate(MODELS)]
)
def test_controllers_in_c_and_cpp_drive_the_same(c_home: Path, tmp_path: Path, model: str):
    path = world(model, tmp_path)
    expected = drive_in_python(path)
    for name in ("driving", "driving_classes"):
        program = compile_controller(CONTROLLERS / name)
        assert program is not None
        assert differences(expected, drive(path, [program]))[:3] == []
