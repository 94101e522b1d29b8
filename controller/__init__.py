"""The face under which Webots controllers import the object API: `from controller import Robot`.

It has no names yet: the object API (`hal.controller`) is not part of this version.
"""
