"""`Servo`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.by_hand.servo import Servo

__all__ = ["Servo"]
