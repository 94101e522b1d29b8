"""USB with the real libusb, below which umockdev plays the kernel."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import usb

from tests.conftest import absent, require_tool
from tests.project.files import CHECKOUT

PROGRAM = CHECKOUT / "tests" / "hal" / "link" / "usb_program.py"
BINDING = "import gi; gi.require_version('UMockdev', '1.0'); from gi.repository import UMockdev"


def test_a_robot_at_usb_by_libusb(tmp_path: Path):
    wrapper = require_tool("umockdev-wrapper", "plays the kernel for libusb")
    # The binding belongs to the distribution's Python, not to the one of these tests.
    python = "/usr/bin/python3"
    if subprocess.run([python, "-c", BINDING], capture_output=True, check=False).returncode:
        absent("python3-gi and gir1.2-umockdev-1.0 are not installed: they are umockdev for Python")
    (tmp_path / "usb").symlink_to(Path(usb.__file__).parent)
    done = subprocess.run(
        [wrapper, python, str(PROGRAM)],
        env={**os.environ, "PYTHONPATH": f"{CHECKOUT}:{tmp_path}", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout == "steps 100 stops 1\n", done.stderr
