"""Compile controllers: for this machine, and as firmware for boards."""

from wbridge.hal.archives import module_folder

__path__[:] = [module_folder(__path__[0], "wbfirmware")]
