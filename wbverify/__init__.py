"""Compare a controller on the desktop with the same controller on a board, step by step."""

from wbridge.hal.archives import module_folder

__path__[:] = [module_folder(__path__[0], "wbverify")]
