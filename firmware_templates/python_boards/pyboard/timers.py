"""Timers and their channels at pins of the pyboard v1.1 (STM32F405)."""

CHANNELS = {
    "X1": (2, 1),
    "X2": (2, 2),
    "X3": (2, 3),
    "X4": (2, 4),
    "X7": (3, 1),
    "X8": (3, 2),
    "Y3": (4, 3),
    "Y4": (4, 4),
    "Y7": (12, 1),
    "Y8": (12, 2),
    "Y11": (3, 3),
    "Y12": (3, 4),
}
