"""What a controller in Python loads with the client in C: nothing of the former client."""

from __future__ import annotations

import os
import subprocess
import sys

PROGRAM = """
import sys
import controller, vehicle
from wbridge.hal import readings
from wbridge.hal.client import devices, native, native_vehicle, remote, scene, window
assert devices.Camera and readings.RecognizedObject
print([name for name in sys.modules if name.startswith("wbridge.hal.modes")])
"""


def test_the_client_in_c_needs_no_module_of_the_former_client():
    environment = os.environ | {"WBRIDGE_CLIENT": "c"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
