"""Communication between a controller and its remote-control plugin."""

from __future__ import annotations

from wbridge.hal.client.session import current


def wb_remote_control_custom_function(argument: object) -> object:
    """Call the custom function of the remote-control plugin; None before remote control was used."""
    return current().remote_control_custom_function(argument)
