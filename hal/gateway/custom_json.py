"""Arguments of a remote-control plugin's custom function on their way to the plugin's process."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wbridge.hal.remote import RemoteControl

FUNCTION = "wb_remote_control_custom_function"


def json_of(argument: object, refuse: Callable[[str, str], object]) -> str | None:
    """The argument as JSON; None, after a message, if it cannot be sent.

    Args:
        argument: what the controller passes.
        refuse: reports an error of a function.
    """
    try:
        return json.dumps(argument)
    except (TypeError, ValueError) as error:
        refuse(
            FUNCTION,
            f"called with a {type(argument).__name__}, which cannot be sent to the plugin ({error}); "
            "allowed: None, numbers, strings, lists and dictionaries.",
        )
        return None


def takes_json(plugin: type[RemoteControl], refuse: Callable[[str, str], object]) -> bool:
    """True unless, after a message, a plugin takes an address; `refuse` reports an error of a function."""
    if not plugin.TAKES_JSON:
        refuse(
            FUNCTION,
            "called for a plugin in C, which runs in a process of its own, where an address has no meaning.",
        )
    return plugin.TAKES_JSON
