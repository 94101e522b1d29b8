"""`RadarTarget`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.by_hand.values import RadarTarget

__all__ = ["RadarTarget"]
