"""The one function by which a controller talks with its remote-control plugin."""

from __future__ import annotations

from hal.modes.session import current

__all__ = ["wb_remote_control_custom_function"]


def wb_remote_control_custom_function(argument: object) -> object:
    """What the remote-control plugin answers to `argument`; None before remote control was used."""
    return current().remote_control_custom_function(argument)
