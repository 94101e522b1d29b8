"""The former name of `wbridge.ros`."""

import sys
import warnings
from importlib import import_module

warnings.warn(
    "wbridge.hal.ros is now wbridge.ros; the former name works for one more minor version",
    DeprecationWarning,
    stacklevel=2,
)
for _name in ("", ".actuators", ".bridge", ".fake", ".joints", ".node", ".sensors"):
    sys.modules[f"wbridge.hal.ros{_name}"] = import_module(f"wbridge.ros{_name}")
