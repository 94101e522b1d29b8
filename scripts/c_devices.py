"""Generate the codec-dependent part of each device of the C library: codes, values, readers.

The file of a device in libcontroller/src/devices includes two generated ones. KEY_codec.h has the codes of
commands and messages, and the structure members for values of messages. KEY.h, at the end, has the functions
that read messages, the Kind, and the regular functions of the API. Functions that the file itself defines
(`start`, `take_MESSAGE`, `read_FIELD`, `flush`, `end` and so on) replace generated ones. A device without
hand-written parts has no such file: KEY.c is generated as a whole.
"""

from __future__ import annotations

import re
import textwrap
from typing import NamedTuple

from scripts.api_methods import api_class
from scripts.api_sources import ROOT
from wbridge.hal.catalogue import kinds
from wbridge.hal.protocol.codec import ENABLE, Codec, Message
from wbridge.hal.protocol.devices import codec_of

__all__ = [
    "INHERITED",
    "CDevice",
    "base_of",
    "codes",
    "devices",
    "members",
    "members_macro",
    "reading",
    "structure",
]

FOLDER = ROOT / "libcontroller" / "src" / "devices"
WIDTH = 100
INHERITED = {
    "image": {
        "width": "image.width",
        "height": "image.height",
        "fov": "image.fov",
        "near": "image.near",
        "planar": "image.planar",
    },
    "joint": {"type": "joint.type", "sibling": "joint.sibling", "tag": "joint.sibling"},
    "base": {},
}
"""Values that a device shares with similar devices, and their place in the structure."""
TABLE = ("lookup_table", "f64*3[]")
IGNORED = ("id",)
"""Values of messages that controllers do not need."""
C_TYPES = {
    **dict.fromkeys(("u8", "u16", "i16", "i32"), "int"),
    "u32": "unsigned",
    "f64": "double",
    "bool": "bool",
    "str": "char *",
}
READERS = {one: f"read_{one}" for one in ("u8", "u16", "u32", "i16", "i32", "f64", "bool")}
HOOKS = ("start", "take", "take_chunk", "flush", "taken", "hold_images", "drop_packets", "end")
"""Functions of a Kind that a device's file may define."""
IMAGE_HOOKS = {"take_chunk": "image_take", "hold_images": "image_hold_all", "end": "image_end"}
"""Those of devices with one stream of images."""
IMAGE_FILE = """\
static void take_image_file({} *self, Reader *in) {{
  image_map_file(&self->image, &self->image.shared, in);
}}

"""


class CDevice(NamedTuple):
    """A device kind of the C library."""

    key: str
    """Name of its file: "distance_sensor"."""
    class_name: str
    codec: Codec
    by_hand: str
    """Its own file and header; "" without hand-written parts."""

    @property
    def first(self) -> str:
        """The first member of its structure."""
        found = re.search(rf"typedef struct {{\s*\w+ (\w+);[^{{}}]*}} {self.class_name};", self.by_hand)
        return found[1] if found else "base"

    @property
    def is_made(self) -> bool:
        """True if its codes and its Kind are generated."""
        return not self.by_hand or f"{self.key}_codec.h" in self.by_hand

    @property
    def enable(self) -> str:
        """The method that switches its measurements on."""
        command = self.codec.commands.get(ENABLE)
        return command.name if command and command.name.startswith("enable") else "enable"

    def defines(self, name: str) -> bool:
        """Return True if the device's own file defines a function."""
        return re.search(rf"^static \w+ {name}\(", self.by_hand, re.MULTILINE) is not None


def devices() -> list[CDevice]:
    """Return the devices that have a codec."""
    found: dict[str, CDevice] = {}
    for name, kind in kinds().items():
        codec = codec_of(name)
        key = kind.prefix.removeprefix("wb_").rstrip("_")
        if codec is None or key in found:
            continue
        own = (FOLDER / f"{key}.h", FOLDER / f"{key}.c")
        text = "".join(one.read_text("utf-8") for one in own if one.is_file())
        found[key] = CDevice(key, kind.class_name, codec, text)
    return list(found.values())


def base_of(first: str) -> str:
    """Return the place of the Device in a structure, by the name of its first member."""
    return "base" if first == "base" else f"{first}.base"


def codes(device: CDevice) -> str:
    """Return the codes of commands and messages, and the name of the Kind."""
    upper = device.key.upper()
    text = ""
    for messages in (device.codec.commands, device.codec.messages):
        names = ", ".join(f"{upper}_{one.name.upper()}\0=\0{one.code}" for one in messages.values())
        lines = textwrap.fill(names, WIDTH, initial_indent="  ", subsequent_indent="  ").replace("\0", " ")
        text += f"enum {{\n{lines}\n}};\n" if names else ""
    return f"{text}\nextern const Kind {device.key}_kind;\n"


def members_macro(device: CDevice) -> str:
    """Return the structure members for values of messages; followed by a semicolon in use."""
    lines = " \\\n".join(f"  {one};" for one in _members(device)).removesuffix(";")
    return f"\n#define {device.key.upper()}_MEMBERS \\\n{lines}\n" if lines else ""


def structure(device: CDevice) -> str:
    """Return the structure of a device without hand-written parts."""
    lines = "".join(f"  {one};\n" for one in _members(device))
    return f"typedef struct {{\n  Device base;\n{lines}}} {device.class_name};\n"


def members(device: CDevice) -> dict[str, str]:
    """Return names of the members for values of messages, and their types in the codec."""
    found: dict[str, str] = {}
    for message in device.codec.messages.values():
        for name, type_ in _own(device, message):
            found.setdefault(name, type_)
    return found


def reading(device: CDevice) -> str:
    """Return the functions that read messages, and the Kind."""
    made = [_start(device)]
    for message in device.codec.messages.values():
        if _is_read(device, message):
            made.append(_read(device, message))
    image_file = IMAGE_FILE.format(device.class_name) if device.first == "image" else ""
    return "".join(made) + image_file + _take(device) + _kind(device)


def _is_plain(type_: str) -> bool:
    base, _, length = type_.partition("*")
    return base in C_TYPES and (not length or (base == "f64" and length.isdigit()))


def _own(device: CDevice, message: Message) -> list[tuple[str, str]]:
    """Return the values of a message that become structure members, if they are simple."""
    if message.layout.types is None:
        return []
    inherited = INHERITED[device.first]
    return [
        (name, type_)
        for name, type_ in zip(message.layout.names, message.layout.types, strict=True)
        if _is_plain(type_)
        and name not in inherited
        and name not in IGNORED
        and not device.defines(f"read_{name}")
        and _is_read(device, message)
    ]


def _is_read(device: CDevice, message: Message) -> bool:
    """Return True if the function that reads the values of a message is generated."""
    if device.defines(f"take_{message.name}") or device.defines("take"):
        return _reader(message) in device.by_hand
    return bool(message.layout.types)


def _reader(message: Message) -> str:
    """Return the call with which a device's own function reads a message."""
    return f"read_{message.name}_values(self, in)"


def _members(device: CDevice) -> list[str]:
    names: dict[str, list[str]] = {}
    for name, type_ in members(device).items():
        base, _, length = type_.partition("*")
        c_type, star, _ = C_TYPES[base].partition(" *")
        names.setdefault(c_type, []).append(f"{star.strip()}{name}{f'[{length}]' if length else ''}")
    return [f"{c_type} {', '.join(group)}" for c_type, group in names.items()]


def _start(device: CDevice) -> str:
    """Values are NaN before the first sample."""
    if device.defines("start"):
        return ""
    lines = []
    constants = device.codec.messages.get(0)
    known = constants.layout.names if constants else ()
    for message in device.codec.messages.values():
        for name, type_ in _own(device, message):
            if name in known:
                continue
            base, _, length = type_.partition("*")
            if base == "f64":
                lines.append(
                    f"  for (int i = 0; i < {length}; ++i) self->{name}[i] = NAN;\n"
                    if length
                    else f"  self->{name} = NAN;\n"
                )
    if not lines:
        return ""
    me = f"  {device.class_name} *self = ({device.class_name} *)device;\n"
    return f"static void start(Device *device) {{\n{me}{''.join(lines)}}}\n\n"


def _read(device: CDevice, message: Message) -> str:
    lines = []
    for name, type_ in zip(message.layout.names, message.layout.types or (), strict=True):
        lines.append(f"  {_read_one(device, name, type_)};\n")
    arguments = f"{device.class_name} *self, Reader *in"
    name = (
        _reader(message).partition("(")[0]
        if device.defines(f"take_{message.name}")
        else f"take_{message.name}"
    )
    short = f"static void {name}({arguments}) {{ {''.join(lines).strip()} }}"
    if len(lines) == 1 and len(short) <= WIDTH:
        return f"{short}\n\n"
    return f"static void {name}({arguments}) {{\n{''.join(lines)}}}\n\n"


def _read_one(device: CDevice, name: str, type_: str) -> str:
    base, _, length = type_.partition("*")
    first = device.first
    place = INHERITED[first].get(name, name)
    if device.defines(f"read_{name}"):
        return f"read_{name}(self, in)"
    if (name, type_) == TABLE:
        return f"device_read_table(&self->{base_of(first)}, in)"
    assert _is_plain(type_), f"{device.key}: read_{name} has to be written by hand for {type_}"
    if name in IGNORED:
        return f"{READERS[type_]}(in) /* {name} */"
    if length:
        return f"read_f64s(in, self->{place}, {length})"
    if base == "str":
        return f"read_kept_text(in, &self->{place})"
    cast = "(int)" if base in ("u8", "u16") else ""
    return f"self->{place} = {cast}{READERS[base]}(in)"


def _take(device: CDevice) -> str:
    if device.defines("take") or not device.codec.messages:
        return ""
    lines = []
    for message in device.codec.messages.values():
        by_hand = device.defines(f"take_{message.name}") or message.name == "image_file"
        if not by_hand and not _is_read(device, message) and message.layout.names:
            continue  # nothing that controllers in C take
        call = f"take_{message.name}(self, in); " if message.layout.names or by_hand else ""
        lines.append(f"    case {device.key.upper()}_{message.name.upper()}: {call}return true;\n")
    uses = any("self" in one for one in lines)
    me = f"  {device.class_name} *self = ({device.class_name} *)device;\n" if uses else ""
    unused = "" if uses else "  (void)device;\n  (void)in;\n"
    return (
        "static bool take(Device *device, unsigned code, Reader *in) {\n"
        f"{me}{unused}  switch (code) {{\n{''.join(lines)}    default: return false;\n  }}\n}}\n\n"
    )


def _kind(device: CDevice) -> str:
    fields = {"class_name": f'"{device.class_name}"', "size": f"sizeof({device.class_name})"}
    if device.codec.head.size == 2:
        fields["wide"] = "true"
    if "FORMER[]" in device.by_hand:
        fields["former"] = "FORMER"
    functions = dict(IMAGE_HOOKS) if device.first == "image" else {}
    if device.codec.messages:
        functions["take"] = "take"
    if _start(device):
        functions["start"] = "start"
    functions |= {hook: hook for hook in HOOKS if device.defines(hook)}
    fields |= {hook: functions[hook] for hook in HOOKS if hook in functions}
    lasting = api_class(device.class_name).lasting
    if lasting and lasting != [ENABLE]:
        names = [f"{device.key.upper()}_{device.codec.commands[code].name.upper()}" for code in lasting]
        fields["lasting"] = " |\n               ".join(f"1u << {one}" for one in names)
    lines = "".join(f"    .{name} = {value},\n" for name, value in fields.items())
    return f"const Kind {device.key}_kind = {{\n{lines}}};\n"
