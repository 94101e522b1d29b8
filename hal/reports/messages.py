"""The messages of the API: functions of `wbridge.hal.reports.message_texts`, which is loaded for the first
message."""

from __future__ import annotations

TYPE_CHECKING = False  # start-up: typing takes 4 ms
if TYPE_CHECKING:
    from wbridge.hal.reports.message_texts import *  # noqa: F403
else:

    def __getattr__(name: str) -> object:
        """Return a message's function."""
        from wbridge.hal.reports import message_texts  # start-up: 1 ms, only for messages

        return getattr(message_texts, name)
