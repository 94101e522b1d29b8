"""`LightSensor`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.light_sensor import LightSensor

__all__ = ["LightSensor"]
