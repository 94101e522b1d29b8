"""`Device`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.by_hand.device import Device

__all__ = ["Device"]
