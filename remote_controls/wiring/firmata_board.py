"""The pins of a board, as reported by the board itself."""

from __future__ import annotations

from wbridge.remote_controls.protocols.firmata import PinMode

END_OF_PIN = NO_CHANNEL = 0x7F


class FirmataBoard:
    """Pins by name: D7 is pin 7, A0 the pin of the first analog channel."""

    def __init__(self, capabilities: bytes, mapping: bytes) -> None:
        """
        Args:
            capabilities: for all pins in order, pairs of mode and bits, 127 after each pin.
            mapping: the analog channel of each pin, 127 for none.
        """
        self.modes: list[dict[int, int]] = []
        for part in capabilities.split(bytes([END_OF_PIN]))[:-1]:
            self.modes.append(dict(zip(part[::2], part[1::2], strict=False)))
        self.channels = {pin: channel for pin, channel in enumerate(mapping) if channel != NO_CHANNEL}
        self.pins = {f"D{pin}": pin for pin in range(len(self.modes))}
        """Numbers by name."""
        self.pins |= {f"A{channel}": pin for pin, channel in self.channels.items() if pin < len(self.modes)}

    def names(self, pin: int) -> list[str]:
        """Return all names of a pin."""
        return [name for name, number in self.pins.items() if number == pin]

    def limit(self, name: str) -> int:
        """Return the exclusive upper limit of an analog pin's value."""
        bits = self.modes[self.pins[name]].get(PinMode.ANALOG, 0) if name in self.pins else 0
        return 1 << bits if bits else 0

    def problem(self, name: str, mode: int) -> str:
        """Return why a pin does not support a mode; "" if it does."""
        if name not in self.pins:
            return f"the board has no pin {name}; it has {', '.join(self.pins)}"
        able = self.modes[self.pins[name]]
        if mode in able and not (mode == PinMode.ANALOG and not name.startswith("A")):
            return ""
        can = ", ".join(PinMode.NAMES.get(mode, str(mode)) for mode in able) or "nothing"
        fit = [number for number, pin in self.pins.items() if mode in self.modes[pin]]
        return (
            f"the pin {name} does not support {PinMode.NAMES[mode]}, only {can}; "
            f"these do: {', '.join(fit) or 'none'}"
        )
