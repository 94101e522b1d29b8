"""`Radar`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.radar import Radar

__all__ = ["Radar"]
