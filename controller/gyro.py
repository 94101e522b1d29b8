"""`Gyro`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.gyro import Gyro

__all__ = ["Gyro"]
