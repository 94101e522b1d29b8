"""`wb`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.by_hand.library import wb

__all__ = ["wb"]
