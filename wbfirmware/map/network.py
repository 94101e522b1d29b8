"""The link of boards with Wi-Fi in the hardware map: port, broker and topic."""

from __future__ import annotations

import re

from wbridge.wbfirmware.map.hardware import TEXT, Hardware
from wbridge.wbfirmware.problems import Source

SERIAL, TCP, TLS = "serial", "tcp", "tcps"
_BROKER = re.compile(r"[A-Za-z0-9._:-]{1,80}")
_TOPIC = re.compile(r"[A-Za-z0-9._ -]+(?:/[A-Za-z0-9._ -]+)*")
MOST_TOPIC = 64
"""Bytes: the board has a buffer for topics."""
USED = {"port": ("tcp", "tcps", "mqtt"), "broker": ("mqtt",), "topic": ("mqtt",)}
"""The wires that have these keys."""


def check_network(source: Source, hardware: Hardware) -> None:
    """Check the keys of networks, and that the flavor can use one."""
    link = hardware.link

    def wrong(key: str, allowed: str) -> None:
        source.wrong(("link", key), f"link.{key}: found {getattr(link, key)!r}; {allowed}")

    if not hardware.networked:
        for key in USED:
            if key in source.data["link"]:
                able = [wire for wire in USED[key] if wire in hardware.board.project.wire_parts]
                for_ = f"it is for wire = {_either(able)}" if able else f"{hardware.board.title} has no Wi-Fi"
                wrong(key, for_)
        return
    if hardware.flavor.controller and not _sends_text(hardware):
        wrong("wire", f"the flavor {hardware.flavor.name} uses {_able(hardware)}; slave can use any wire")
    if type(link.port) is not int or not 1 <= link.port <= 65535:
        wrong("port", "allowed: 1 to 65535")
    if link.wire != "mqtt":
        for key in ("broker", "topic"):
            if key in source.data["link"]:
                wrong(key, 'it is for wire = "mqtt"')
        return
    if not isinstance(link.broker, str) or not _BROKER.fullmatch(link.broker):
        wrong("broker", 'expected the name or address of the MQTT broker, for example broker = "192.168.1.2"')
    if not isinstance(link.topic, str) or not _TOPIC.fullmatch(link.topic) or len(link.topic) > MOST_TOPIC:
        example = 'for example topic = "robots/ann"'
        wrong("topic", f"expected at most {MOST_TOPIC} letters, digits and . _ - /, {example}")


def _either(names: list[str]) -> str:
    """Return the names with commas and an "or"."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def _sends_text(hardware: Hardware) -> bool:
    """Return True if the controller's output can go over the wire."""
    return hardware.flavor.text and hardware.link.wire == TCP and TEXT in hardware.board.project.wire_parts


def _able(hardware: Hardware) -> str:
    able = [SERIAL, *([TCP] if hardware.flavor.text and TEXT in hardware.board.project.wire_parts else [])]
    return "wire = " + " or ".join(f'"{wire}"' for wire in able)
