"""`Servo`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.servo import Servo

__all__ = ["Servo"]
