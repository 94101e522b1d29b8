"""Functions of all devices: name, model and node type."""

from __future__ import annotations

from wbridge.hal.client._native import Device
from wbridge.hal.client.session import current
from wbridge.hal.protocol.dialect import R2023B


def wb_device_get_name(tag: int) -> str:
    """The field `name` of the device, or of the robot for tag 0."""
    if tag == 0:
        return current().get_name()
    device = current().find(tag, Device, "wb_device_get_name")
    return device.name if device is not None else ""


def wb_device_get_model(tag: int) -> str:
    """The field `model` of the device, or ""."""
    if tag == 0:
        return current().get_model()
    device = current().find(tag, Device, "wb_device_get_model")
    return device.model if device is not None else ""


def wb_device_get_node_type(tag: int) -> int:
    """The number of the device's node type (`WB_NODE_...`), or 0 for an invalid tag."""
    return _node_type(tag, "wb_device_get_node_type")


def wb_device_get_type(tag: int) -> int:
    """Old name of `wb_device_get_node_type`."""
    return _node_type(tag, "wb_device_get_type")


def _node_type(tag: int, function: str) -> int:
    if tag == 0:
        return R2023B.numbers["Robot"]
    device = current().find(tag, Device, function)
    return R2023B.numbers[device.node_type] if device is not None else 0


def wb_node_get_name(node_type: int) -> str:
    """The name of a node type by its number (`WB_NODE_...`), or ""."""
    return R2023B.node(node_type)
