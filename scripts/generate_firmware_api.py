#!/usr/bin/env python3
"""Generate the folders of firmware_templates/api for single-value sensors, which the catalogue fully
describes.

Other devices have hand-written files there. `--check` only compares.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from hal.catalogue import DeviceKind, kinds  # noqa: E402
from hal.protocol.devices import key_of  # noqa: E402
from scripts.generated import Made, write_or_compare  # noqa: E402

FOLDER = ROOT / "firmware_templates" / "api"
MARK = "made by scripts/generate_firmware_api.py"
READERS = {"f64": ("double ", "channel_number"), "vec3": ("const double *", "channel_numbers")}
"""Result type of the function that reads a channel, and the function it calls, by channel type."""

SETTINGS = """\
# {mark}
devices = ["{name}"]

[channels]
value = ["{channel}"]

[functions]
{prefix}enable = ["value"]
{prefix}disable = ["value"]
{prefix}get_sampling_period = ["value"]
{prefix}{get} = ["value"]
"""
SOURCE = """\
/* The sensor {name}: {mark}. */
#include "wb_{key}.h"

#include <webots/{key}.h>

#include "sensor.h"

SENSOR_FUNCTIONS({key}, DEVICE_{constant})

{returns}{prefix}{get}(WbDeviceTag tag) {{ return {reader}(channel_of(tag)); }}
"""
HEADER = """\
/* The sensor {name}: {mark}. */
#ifndef WB_{constant}_H
#define WB_{constant}_H

#include <stdint.h>

#include "config.h"
#include "memory.h"

struct {key} {{
  uint8_t value;
}};

extern const FLASH struct {key} {key}_table[{constant}_DEVICES];

#endif
"""


def is_simple(kind: DeviceKind) -> bool:
    """Return True for a sensor of one value without further functions."""
    if len(kind.channels) != 1 or {one.name for one in kind.constants} - {"lookupTable"}:
        return False
    (channel,) = kind.channels
    return bool(channel.enable and channel.get) and channel.type in READERS and not channel.shape


def generate() -> Made:
    """Return the texts of the files."""
    made: dict[Path, str] = {}
    for kind in filter(is_simple, kinds().values()):
        key, (channel,) = key_of(kind.name), kind.channels
        returns, reader = READERS[channel.type]
        words = {"mark": MARK, "name": kind.name, "key": key, "constant": key.upper(), "prefix": kind.prefix}
        words |= {"channel": channel.name, "get": channel.get, "returns": returns, "reader": reader}
        files = {"kind.toml": SETTINGS, f"wb_{key}.c": SOURCE, f"wb_{key}.h": HEADER}
        made |= {FOLDER / key / name: text.format(**words) for name, text in files.items()}
    return made


def main() -> int:
    """Write or check the files; return the exit code."""
    return write_or_compare("Make the firmware's functions of simple sensors.", generate)


if __name__ == "__main__":
    sys.exit(main())
