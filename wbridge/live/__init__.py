"""Runs in a web page: what runs there (`in_page`), and the static site around it."""

from wbridge.hal.archives import module_folder

__path__[:] = [module_folder(__path__[0], "wbridge/live")]
