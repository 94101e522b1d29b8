"""Generate the modules of the packages `controller` and `vehicle` with the names of Webots' modules.

    python scripts/generate_controller_modules.py            write the files
    python scripts/generate_controller_modules.py --check    exit 1 when they are out of date

Editors' auto-imports use them: `from controller.robot import Robot`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.generated import Made, write_or_compare  # noqa: E402
from wbridge.hal import controller  # noqa: E402

MARK = "Made by scripts/generate_controller_modules.py."
PACKAGES = ("controller", "vehicle")
ELSEWHERE = {
    "by_hand.device": {"Device": "device", "Sensor": "sensor"},
    "by_hand.values": {
        "AnsiCodes": "ansi_codes",
        "CameraRecognitionObject": "camera",
        "LidarPoint": "lidar_point",
        "MouseState": "mouse",
        "RadarTarget": "radar_target",
    },
    "by_hand.scene": {"ContactPoint": "node"},
    "by_hand.library": {"constant": "constants", "wb": "wb"},
}
"""Names whose modules here differ from Webots'."""


def make() -> Made:
    """Return the text of each module."""
    names: dict[tuple[str, str], dict[str, str]] = {}
    for name, place in controller._PLACES.items():
        module = ELSEWHERE[place][name] if place in ELSEWHERE else place
        names.setdefault(("controller", module), {})[name] = place
    for name, module in ELSEWHERE["by_hand.library"].items():
        names["controller", module] = {name: "by_hand.library"}
    names["vehicle", "car"], names["vehicle", "driver"] = {"Car": "car"}, {"Driver": "driver"}
    return {ROOT / package / f"{module}.py": text(found) for (package, module), found in names.items()}


def text(names: dict[str, str]) -> str:
    """Return a module with these names, each imported from wbridge.hal.controller."""
    found = sorted(names)
    imports = sorted(f"from wbridge.hal.controller.{names[name]} import {name}" for name in found)
    listed = ", ".join(f'"{name}"' for name in found)
    what = " and ".join(f"`{name}`" for name in found)
    lines = [f'"""{what}, where Webots has it.', "", f'{MARK}\n"""', "", *imports, ""]
    return "\n".join([*lines, f"__all__ = [{listed}]", ""])


def stale(made: Made) -> Iterable[Path]:
    """Return modules that were generated earlier but no longer are."""
    files = (one for package in PACKAGES for one in (ROOT / package).glob("*.py"))
    return [one for one in files if one not in made and MARK in one.read_text(encoding="utf-8")]


if __name__ == "__main__":
    sys.exit(write_or_compare("Make the modules of controller and vehicle.", make, stale))
