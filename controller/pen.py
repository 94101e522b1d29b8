"""`Pen`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.pen import Pen

__all__ = ["Pen"]
