"""What the simulator does for a physics plugin: finds nodes, carries packets, prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbridge.wbcore.scene.node import Node, walk
from wbridge.wbcore.world.radio import UNLIMITED, Packet, RadioMedium

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wbridge.wbcore.engine import _engine
    from wbridge.wbcore.physics.world import PhysicsWorld

CHANNEL = 0
"""The plugin receives the packets on this channel (manual, 6.4.5)."""
BROADCAST = -1


class PluginHost:
    """Answers the calls of one plugin. It must not keep the simulation alive, which keeps the plugin."""

    def __init__(self, physics: PhysicsWorld, name: str, write: Callable[[str], None]) -> None:
        self._physics = physics
        self._name = name
        self._write = write
        self.sent: list[Packet] = []
        """Packets for the receivers at the end of the step."""

    def solid(self, def_name: str) -> tuple[_engine.Body, int] | None:
        """Return the body of a solid and the solid's number in it; None if no solid has this DEF name."""
        node = find_solid(self._physics.world.nodes, def_name)
        plan = self._physics.handles.solids.get(node.root) if node is not None else None
        if plan is None:
            return None
        return self._physics.builder.body(plan.body), plan.body.solids.index(plan)

    def send(self, channel: int, data: bytes) -> None:
        """Send a packet on a channel; -1: to all channels."""
        if channel < BROADCAST:
            self.print(f"warning: dWebotsSend(): channel {channel} is out of range; allowed: -1 or more")
            return
        self.sent.append(Packet(None, "", channel, UNLIMITED, data))

    def replace_sent(self, packets: Sequence[tuple[int, bytes]]) -> None:
        """Set the packets for the receivers: channel and data of each."""
        self.sent = [Packet(None, "", channel, UNLIMITED, data) for channel, data in packets]

    def print(self, text: str | bytes) -> None:
        """Print a line with the plugin's name; form feeds, which clear Webots' console, are left out."""
        line = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
        self._write(f"[{self._name}] {line.replace(chr(12), '').rstrip(chr(10))}\n")

    def time_ms(self) -> float:
        """Return the simulated time (ms)."""
        return self._physics.time * 1000


class PluginRadio(RadioMedium):
    """A radio medium that also hands packets to a plugin, wherever they were sent."""

    def __init__(self, receive: Callable[[bytes], None]) -> None:
        super().__init__()
        self._receive = receive

    def put(self, packet: Packet) -> None:
        """Send a packet of a device."""
        self.deliver(packet)
        if packet.channel in (CHANNEL, BROADCAST):
            self._receive(packet.data)

    def deliver(self, packet: Packet) -> None:
        """Send a packet of the plugin."""
        super().put(packet)


def find_solid(nodes: list[Node], def_name: str) -> Node | None:
    """Return the solid with a DEF name, also inside of PROTOs; "A.B" is the first B at or below A."""
    inside, found = nodes, None
    for part in def_name.split("."):
        found = next((node for node in walk(inside) if node.def_name == part and node.use_of is None), None)
        if found is None:
            return None
        inside = [found]
    return found if found is not None and found.is_a("Solid") else None
