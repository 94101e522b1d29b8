"""One codec per device type, each in a module named after it that is loaded on first use."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from wbridge.hal.protocol.codec import Codec
from wbridge.hal.protocol.dialect import R2025A, Dialect

__all__ = ["codec_of", "key_of"]


def key_of(node_type: str) -> str:
    """The module name of a node type: distance_sensor for "DistanceSensor", gps for "GPS"."""
    if node_type.isupper():
        return node_type.lower()
    return "".join("_" + c.lower() if c.isupper() else c for c in node_type).lstrip("_")


@cache
def codec_of(node_type: str, dialect: Dialect = R2025A) -> Codec | None:
    """The codec of a node type, or None.

    Args:
        node_type: a built-in node type, for example "DistanceSensor".
        dialect: of the peer.
    """
    name = f"{__name__}.{key_of(node_type)}"
    if not node_type.isidentifier():
        return None
    try:
        module = import_module(name)
    except ModuleNotFoundError as error:
        if error.name == name:
            return None
        raise
    codec: Codec = module.dialect_codec(dialect) if hasattr(module, "dialect_codec") else module.CODEC
    return codec
