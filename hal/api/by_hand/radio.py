"""Messages and events of Radio devices."""

from __future__ import annotations

from wbridge.hal.client.arguments import NAN, needs
from wbridge.hal.readings import RadioEvent, RadioMessage


@needs("body", "destination")
def wb_radio_message_new(length: int, body: bytes | str, destination: str) -> RadioMessage:
    """Create a message of `length` bytes for the radio with the address `destination`."""
    raw = body.encode() if isinstance(body, str) else bytes(body)
    return RadioMessage(raw[:length], destination)


def wb_radio_message_delete(message: RadioMessage) -> None:
    """Delete a message; no effect in Python."""


@needs("message", otherwise="")
def wb_radio_message_get_destination(message: RadioMessage) -> str:
    """The destination address of the message."""
    return message.destination


@needs("message", otherwise=0)
def wb_radio_message_get_length(message: RadioMessage) -> int:
    """The size of the message in bytes."""
    return len(message.body)


@needs("message")
def wb_radio_message_get_body(message: RadioMessage) -> bytes:
    """The data of the message."""
    return message.body


@needs("event", otherwise=0)
def wb_radio_event_get_radio(event: RadioEvent) -> int:
    """The tag of the radio that received the message."""
    return event.radio


@needs("event")
def wb_radio_event_get_data(event: RadioEvent) -> bytes:
    """The data of the message."""
    return event.data


@needs("event", otherwise=0)
def wb_radio_event_get_data_size(event: RadioEvent) -> int:
    """The size of the message in bytes."""
    return len(event.data)


@needs("event")
def wb_radio_event_get_emitter(event: RadioEvent) -> str:
    """The address of the sender."""
    return event.emitter


@needs("event", otherwise=NAN)
def wb_radio_event_get_rssi(event: RadioEvent) -> float:
    """The signal strength, in dBm."""
    return event.rssi
