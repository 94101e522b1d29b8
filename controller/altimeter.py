"""`Altimeter`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.altimeter import Altimeter

__all__ = ["Altimeter"]
