"""`LED`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.led import LED

__all__ = ["LED"]
