"""Builds the link of the firmware with a robot that writes down what it is told, for this computer."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any, NamedTuple

from tests.conftest import require_tool
from wbridge.hal.link.numbering import Numbering
from wbridge.hal.link.values import fixed_size
from wbridge.hal.table import DeviceTable
from wbridge.wbfirmware.building.generate import generate, made_files
from wbridge.wbfirmware.map.reading import load_hardware

SOURCES = ("link", "latch", "entries", "samples", "bytes", "crc", "table")
FLAGS = "-std=c11 -g -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=all".split()


class Told(NamedTuple):
    """What a message has led to."""

    calls: list[str]
    answer: bytes | None


def hardware_text(table: DeviceTable, board: str = "host", link: str = "", devices: str = "") -> str:
    """A hardware map; devices that `devices` does not name are not on the board."""
    lines = ["format = 1", 'world = "w.wbt"', f'robot = "{table.name}"', f'board = "{board}"', "[link]", link]
    for device in table.devices:
        if f'devices."{device.name}"' not in devices:
            lines += [f'[devices."{device.name}"]', 'driver = "none"']
    return "\n".join([*lines, devices, ""])


class Peer:
    """The program, running."""

    def __init__(
        self, table: DeviceTable, folder: Path, real: int, message: int, build: str, fault: int = 0
    ) -> None:
        compiler = require_tool("cc", "compiles the firmware's link")
        folder.mkdir(parents=True, exist_ok=True)
        map_file = folder / "hardware.toml"
        map_file.write_text(hardware_text(table, link=f"real = {real}\nmessage = {message}\ntable = false"))
        hardware = load_hardware(map_file, table)
        project = folder / "project"
        generate(hardware, project)
        made = made_files(hardware, **all_driven(table, real), build=build)
        for name in ("config.h", "table.c"):
            (project / name).write_text(made[name])
        sources = [*(project / f"{name}.c" for name in SOURCES), Path(__file__).with_name("told_robot.c")]
        command = [compiler, *FLAGS, f"-I{project}", "-o", str(folder / "peer"), *map(str, sources)]
        subprocess.run(command, check=True)
        self._process = subprocess.Popen(
            [str(folder / "peer"), str(fault)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def tell(self, now: int, data: bytes) -> Told:
        """Give it a message at a time in ms."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"{now} {data.hex()}\n")
        self._process.stdin.flush()
        *calls, answer = self._process.stdout.readline().split()
        return Told(calls, None if answer == "-" else bytes.fromhex(answer))

    def close(self) -> None:
        """End it; it must not have found errors of its own."""
        with self._process as process:
            assert process.stdin is not None
            process.stdin.close()
            assert process.wait(10) == 0


def all_driven(table: DeviceTable, real: int) -> dict[str, Any]:
    """Words for the templates with which the robot serves all channels of fixed size."""
    entries, stage, samples = [], 0, 1
    for one in Numbering(table).channels:
        size = fixed_size(one, real)
        flags = ["CHANNEL_ACT"] * (one.direction == "act") + ["CHANNEL_DRIVEN"] * (size is not None)
        kind, numbers = {"bool": ("BOOL", 1), "i32": ("INT", 1), "f64": ("REAL", 1), "vec3": ("REAL", 3)}.get(
            one.type, ("VARYING", 0)
        )
        slot = "NO_SLOT" if one.slot is None else one.slot
        kind = "VARYING" if size is None else kind
        entries.append(
            {
                "kind": f"NUMBER_{kind}",
                "flags": " | ".join(flags) or "0",
                "slot": slot,
                "count": 0 if size is None else numbers * (one.elements or 0),
                "number": one.number,
                "label": one.label.replace("*", ""),
            }
        )
        stage += (size or 0) + 2 if one.direction == "act" else 0
        samples += (size or 0) + 2 if one.direction == "sense" else 0
    return {"entries": entries, "stage": stage + 4 * len(Numbering(table).slots), "samples": samples}
