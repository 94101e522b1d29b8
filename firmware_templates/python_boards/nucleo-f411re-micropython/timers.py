"""Timers and their channels at pins of Nucleo boards with an STM32F411 or STM32F446."""

CHANNELS = {
    "PA0": (5, 1),
    "PA1": (5, 2),
    "PA8": (1, 1),
    "PA9": (1, 2),
    "PA10": (1, 3),
    "PB0": (3, 3),
    "PB1": (3, 4),
    "PB3": (2, 2),
    "PB4": (3, 1),
    "PB5": (3, 2),
    "PB6": (4, 1),
    "PB7": (4, 2),
    "PB10": (2, 3),
}
