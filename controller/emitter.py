"""`Emitter`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.emitter import Emitter

__all__ = ["Emitter"]
