"""Compare packets sent by a controller on the desktop and on a board."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Mapping, Sequence

from wbridge.wbfirmware.map.channels import value_bytes
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbverify.coupling.couplings import PacketOutput
from wbridge.wbverify.reference import SentPacket

NOTHING = math.nan
MOST_BYTES, WAITING_BYTES = 128, 256
"""Bytes of a packet, and of all packets queued in the driver serial_receiver until the controller's step
ends."""


def packet_numbers(
    desktop: Sequence[SentPacket], board: Sequence[SentPacket]
) -> Iterator[tuple[int, str, float, float]]:
    """Return all differences between two packet sequences of a step, as pairs of numbers.

    Returns:
        Tag of the emitter, name of the number, and both numbers; NaN for missing ones.
    """
    for tag in sorted({sent_packet.tag for sent_packet in (*desktop, *board)}):
        first, second = ([packet for packet in packets if packet.tag == tag] for packets in (desktop, board))
        yield tag, "packets", len(first), len(second)
        for k in range(max(len(first), len(second))):
            pair = [packets[k] if k < len(packets) else None for packets in (first, second)]
            for name, a, b in _of_one(*pair):
                yield tag, f"packet {k}.{name}", a, b


def _of_one(desktop: SentPacket | None, board: SentPacket | None) -> Iterator[tuple[str, float, float]]:
    """Compare two packets; of different bytes only the first. The checksum represents all others."""
    pair = (desktop, board)
    channel, size, check = (
        [NOTHING if packet is None else float(work(packet)) for packet in pair]
        for work in (
            lambda packet: packet.channel,
            lambda packet: len(packet.data),
            lambda packet: zlib.crc32(packet.data),
        )
    )
    yield "channel", channel[0], channel[1]
    yield "size", size[0], size[1]
    if desktop is not None and board is not None and desktop.data != board.data:
        both = zip(desktop.data, board.data, strict=False)
        at = next((k for k, (a, b) in enumerate(both) if a != b), None)
        if at is not None:
            yield f"byte {at}", desktop.data[at], board.data[at]
    yield "crc32", check[0], check[1]


def finds_room(hardware: Hardware, packets: Sequence[bytes]) -> Iterator[bool]:
    """Return for each packet of a step whether a board with a serial receiver has room for it."""
    head = 8 + 4 * hardware.link.real  # header of a packet in the link, after 4 bytes with the total size
    most = MOST_BYTES
    if hardware.board.python is None:
        most = min(most, value_bytes(hardware) - 4 - head)
    filled = 0
    for packet in packets:
        size = len(packet) + 5  # plus its channel and its size
        has_room = len(packet) <= most and filled + size <= WAITING_BYTES
        filled += size if has_room else 0
        yield has_room


def busiest(
    hardware: Hardware,
    packet_outputs: Mapping[int, PacketOutput],
    sent: list[list[SentPacket]],
    step_ms: float,
) -> list[str]:
    """Report where a real line takes longer than a step to send; on emulated lines, bytes take no time."""
    found = []
    for tag, output in packet_outputs.items():
        waits, longest, at = 0.0, 0.0, 0
        for step, packets in enumerate(sent):
            waits += sum(output.busy_ms(packet.data) for packet in packets if packet.tag == tag)
            if waits > longest:
                longest, at = waits, step
            waits = max(0.0, waits - step_ms)
        if longest > step_ms:
            found.append(
                f'"{hardware.table.all[tag].name}": bytes take no time on the emulated line; a real line '
                f"needs up to {longest:.0f} ms for the queued bytes (step {at}); a step has {step_ms:g} ms"
            )
    return found
