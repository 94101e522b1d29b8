"""`Display`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.display import Display

__all__ = ["Display"]
