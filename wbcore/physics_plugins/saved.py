"""What a saved state of a simulation contains of its physics plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FUNCTIONS = ("save", "restore")
"""What a plugin defines to take part in saved states, without the prefix; of wbridge, not of Webots."""
VERSION = "webots_physics_state_version"
"""Name of the version of what a plugin saves; 1 if the plugin does not define it."""


class SavedPlugin(NamedTuple):
    """A plugin between two steps."""

    version: int | None
    """Of the variables; None if the plugin does not save them."""
    variables: Any
    """A plain value that the plugin has made of its variables."""
    unread: bytes
    """Packets that the plugin has not read yet."""
    sent: Sequence[tuple[int, bytes]]
    """Channel and data of packets that the plugin has sent, and that are not delivered yet."""

    def to_data(self) -> dict[str, Any]:
        """Return it as a plain value."""
        return {**self._asdict(), "sent": [list(sent_packet) for sent_packet in self.sent]}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> SavedPlugin:
        """Return what `to_data` was called for."""
        return cls(**{**data, "sent": [(channel, packet) for channel, packet in data["sent"]]})


def misfit(saved: SavedPlugin | None, version: int | None, name: str) -> str:
    """Return why a plugin cannot go on from what was saved; "" if it can.

    Args:
        saved: None if the world was without its plugin.
        version: of the plugin's variables; None if it does not save them.
        name: of the plugin.
    """
    if saved is None:
        return f'it was saved without the physics plugin "{name}"'
    if saved.version == version:
        return ""
    found, wanted = _version(saved.version), _version(version)
    return f'the physics plugin "{name}" was {found} when it was saved, and is {wanted} now'


def _version(number: int | None) -> str:
    return "one that does not save its variables" if number is None else f"of state version {number}"
