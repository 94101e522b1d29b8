"""A radio, which sends and receives messages (experimental in Webots)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wbridge.hal.modes.arguments import needs
from wbridge.hal.modes.device import Sensor
from wbridge.hal.readings import RadioEvent, RadioMessage

__all__ = ["Radio"]

SEND, ADDRESS, FREQUENCY, CHANNEL, BITRATE, SENSITIVITY, POWER = range(2, 9)


class Radio(Sensor):
    """A radio, which sends and receives messages (experimental in Webots)."""

    state = (1, ADDRESS, FREQUENCY, CHANNEL, BITRATE, SENSITIVITY, POWER)
    address = ""
    frequency = rx_sensitivity = tx_power = 0.0
    channel = bitrate = 0
    callback: Callable[[RadioEvent], object] | None = None

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.outgoing: list[tuple[bytes, bytes, float]] = []

    def take_constants(
        self, address: str, frequency: float, channel: int, bitrate: int, sensitivity: float, power: float
    ) -> None:
        """Store the address and the settings."""
        self.address, self.frequency, self.channel, self.bitrate = address, frequency, channel, bitrate
        self.rx_sensitivity, self.tx_power = sensitivity, power

    def take_packet(self, rssi: float, source: str, body: bytes) -> None:
        """Pass a received message to the callback."""
        if self.callback is not None:
            self.callback(RadioEvent(self.tag, body, source, rssi))

    def flush(self, out: bytearray) -> None:
        """Append the pending settings, then the messages."""
        super().flush(out)
        outgoing, self.outgoing = self.outgoing, []
        for one in outgoing:
            self.codec.write_command(out, SEND, one)

    @needs("message")
    def send(self, message: RadioMessage, delay: float = 0.0) -> None:
        """Send a message after a delay in s."""
        self.outgoing.append((message.destination.encode(), message.body, float(delay)))
        self.exchange.busy.add(self.tag)

    def set_callback(self, callback: Callable[[RadioEvent], object] | None) -> None:
        """Set the function that is called with each received message; None removes it."""
        self.callback = callback

    @needs("address")
    def set_address(self, address: str) -> None:
        """Set the radio's own address."""
        self.address = address
        self.command(ADDRESS, address.encode())

    def get_address(self) -> str:
        """The radio's own address."""
        return self.address

    def set_frequency(self, hz: float) -> None:
        """Set the frequency, in Hz."""
        self.frequency = float(hz)
        self.command(FREQUENCY, self.frequency)

    def get_frequency(self) -> float:
        """The frequency, in Hz."""
        return self.frequency

    def set_channel(self, channel: int) -> None:
        """Set the channel."""
        self.channel = int(channel)
        self.command(CHANNEL, self.channel)

    def get_channel(self) -> int:
        """The channel."""
        return self.channel

    def set_bitrate(self, bits_per_second: int) -> None:
        """Set the bit rate, in bits per second."""
        self.bitrate = int(bits_per_second)
        self.command(BITRATE, self.bitrate)

    def get_bitrate(self) -> int:
        """The bit rate, in bits per second."""
        return self.bitrate

    def set_rx_sensitivity(self, dBm: float) -> None:  # noqa: N803 (the unit's own spelling)
        """Set the receiver sensitivity, in dBm."""
        self.rx_sensitivity = float(dBm)
        self.command(SENSITIVITY, self.rx_sensitivity)

    def get_rx_sensitivity(self) -> float:
        """The receiver sensitivity, in dBm."""
        return self.rx_sensitivity

    def set_tx_power(self, dBm: float) -> None:  # noqa: N803 (the unit's own spelling)
        """Set the transmission power, in dBm."""
        self.tx_power = float(dBm)
        self.command(POWER, self.tx_power)

    def get_tx_power(self) -> float:
        """The transmission power, in dBm."""
        return self.tx_power
