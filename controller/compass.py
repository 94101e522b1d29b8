"""`Compass`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.compass import Compass

__all__ = ["Compass"]
