"""`AnsiCodes`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.by_hand.values import AnsiCodes

__all__ = ["AnsiCodes"]
