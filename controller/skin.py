"""`Skin`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.skin import Skin

__all__ = ["Skin"]
