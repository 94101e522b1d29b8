"""Calls each function of the API with tags of no device, of the robot, and of another kind of device."""

import inspect
import sys

from wbridge.hal import api
from wbridge.hal.readings import RadioMessage

VALUES = {"int": 1, "float": 0.5, "bool": True, "str": "a", "bytes": b"abcd", "list": [1, 2, 3]}
"""Values by the first word of a type."""


def tags(function):
    """The names of a function's parameters that are tags."""
    names = inspect.signature(function).parameters
    return [name for name in names if name in ("tag", "dt") or name.endswith("_tag")]


def value(function, parameter, image):
    """An argument that is right."""
    if parameter.name in tags(getattr(api, function)):
        own = next(name for name in ("display", "motor", "camera") if name in function or name == "camera")
        return api.wb_robot_get_device("rotationalmotor" if own == "motor" else own)
    named = {"image": image, "message": RadioMessage(b"a", "b"), "orientation": [0, 0, 0, 1]}
    type_ = str(parameter.annotation).replace("[", " ").split()[0]
    return named.get(parameter.name, VALUES.get(type_, [0.1, 0.2, 0.3]))


api.wb_robot_init()
IMAGE = api.wb_display_image_new(api.wb_robot_get_device("display"), 1, 1, b"abcd", api.WB_IMAGE_RGBA)
for name in api.__all__:
    call = getattr(api, name)
    if not name.startswith("wb_"):
        continue
    other = api.wb_robot_get_device("led" if "speaker" in name else "speaker")
    for wrong in tags(call):
        for key, tag in {"0": 0, "99": 99, "kind": other}.items():
            arguments = {
                parameter.name: tag if parameter.name == wrong else value(name, parameter, IMAGE)
                for parameter in inspect.signature(call).parameters.values()
            }
            print(f"@{name} {wrong} {key}", file=sys.stderr, flush=True)
            call(**arguments)
