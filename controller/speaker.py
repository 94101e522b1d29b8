"""`Speaker`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.speaker import Speaker

__all__ = ["Speaker"]
