"""`DistanceSensor`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.distance_sensor import DistanceSensor

__all__ = ["DistanceSensor"]
