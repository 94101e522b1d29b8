"""`Motion`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.motion import Motion

__all__ = ["Motion"]
