"""USB: `usb://VENDOR:PRODUCT` with numbers in hexadecimal. Frames as on serial lines go over two bulk
endpoints.

The first interface with a bulk endpoint in each direction is used, unless the URL selects one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

from wbridge.hal.installation import package_command
from wbridge.hal.link.errors import AddressError, ConnectionLost
from wbridge.hal.link.pipe import FramedPipe, Pipe
from wbridge.hal.link.url import Url

if TYPE_CHECKING:
    import usb.backend
    import usb.core

FORM = "usb://VENDOR:PRODUCT[?serial=TEXT&interface=N]"
CHUNK = 4096
Answer = TypeVar("Answer")
OPTIONS: dict[str, Callable[[str], object]] = {"serial": str, "interface": int, "backend": str}
NUMBERS = re.compile(r"usb://([0-9a-f]{1,4}):([0-9a-f]{1,4})(?:[/?]|$)", re.IGNORECASE)
TIMEOUT_ERRORS = (110, 60, 10060)
"""ETIMEDOUT on Linux, macOS and Windows."""
BULK = 2
BACKENDS: dict[str, usb.backend.IBackend] = {}
"""Own backends of pyusb, by the name that the option `backend` gives; without it, pyusb finds one."""


class UsbPipe:
    """A byte pipe over two bulk endpoints."""

    retry = 0.05

    def __init__(
        self,
        device: usb.core.Device,
        interface: int,
        endpoint_in: usb.core.Endpoint,
        endpoint_out: usb.core.Endpoint,
    ) -> None:
        self._device, self._interface = device, interface
        self._in, self._out = endpoint_in, endpoint_out
        self._size = max(CHUNK // endpoint_in.wMaxPacketSize, 1) * endpoint_in.wMaxPacketSize
        self._open = True

    def send(self, data: bytes) -> None:
        """Send some bytes."""
        self._do(self._out.write, data, 1000)

    def receive(self, timeout: float) -> bytes | None:
        """The next bytes."""
        data = self._do(self._in.read, self._size, max(round(1000 * timeout), 1))
        return bytes(data) if data is not None and len(data) else None

    def _do(self, call: Callable[..., Answer], *arguments: object) -> Answer | None:
        import usb.core  # start-up: an optional package

        if not self._open:
            raise ConnectionLost("the USB device is closed")
        try:
            return call(*arguments)
        except usb.core.USBError as error:
            if error.errno in TIMEOUT_ERRORS and call == self._in.read:
                return None
            raise ConnectionLost(f"the USB device does not answer: {error}") from None

    def fileno(self) -> int:
        """There is none."""
        return -1

    def close(self) -> None:
        """Let the device go."""
        import usb.core  # start-up: an optional package
        import usb.util  # start-up: an optional package

        if self._open:
            self._open = False
            try:
                usb.util.dispose_resources(self._device)
            except usb.core.USBError:
                return  # it was unplugged


def check(url: Url) -> None:
    """Check that the URL contains a device, without searching for it.

    Raises:
        AddressError: it does not.
    """
    _numbers(url)


def _numbers(url: Url) -> tuple[int, int]:
    """Those of vendor and product."""
    match = NUMBERS.match(url.text.rpartition("+")[2])
    if not match:
        raise AddressError(f"{url.text}: expected {FORM}, for example usb://1209:0001")
    return int(match[1], 16), int(match[2], 16)


def connect(url: Url) -> Pipe:
    """A pipe to a robot at USB."""
    try:
        import usb.core  # start-up: an optional package
    except ImportError:
        raise AddressError(f"{url.text}: USB needs the package pyusb: {package_command('pyusb')}") from None
    vendor, product = _numbers(url)
    options = url.read_options(OPTIONS)
    wanted: dict[str, object] = {"idVendor": vendor, "idProduct": product}
    if "serial" in options:
        wanted["serial_number"] = options["serial"]
    try:
        device = usb.core.find(backend=_backend(url, options), **wanted)
        if device is None:
            raise ConnectionLost(f"{url.text}: no such USB device is connected")
        return FramedPipe(_open(url, device, options.get("interface")), "cobs")
    except usb.core.NoBackendError:
        raise AddressError(
            f"{url.text}: USB needs libusb; on Debian and Ubuntu: sudo apt install libusb-1.0-0"
        ) from None
    except usb.core.USBError as error:
        hint = "; add a udev rule that gives you access to it" if error.errno == 13 else ""
        raise ConnectionLost(f"{url.text}: {error}{hint}") from None


def _backend(url: Url, options: Mapping[str, object]) -> usb.backend.IBackend | None:
    name = options.get("backend")
    if name is not None and name not in BACKENDS:
        known = ", ".join(BACKENDS) or "none"
        raise AddressError(f'{url.text}: unknown backend "{name}"; available: {known}')
    return BACKENDS.get(name) if name else None


def _open(url: Url, device: usb.core.Device, number: int | None) -> UsbPipe:
    """Claim the interface and its endpoints."""
    import usb.util  # start-up: an optional package

    for interface in device.get_active_configuration():
        if number not in (None, interface.bInterfaceNumber):
            continue
        bulk = [endpoint for endpoint in interface if endpoint.bmAttributes & 3 == BULK]
        ins = [endpoint for endpoint in bulk if endpoint.bEndpointAddress & usb.util.ENDPOINT_IN]
        outs = [endpoint for endpoint in bulk if not endpoint.bEndpointAddress & usb.util.ENDPOINT_IN]
        if ins and outs:
            usb.util.claim_interface(device, interface.bInterfaceNumber)
            return UsbPipe(device, interface.bInterfaceNumber, ins[0], outs[0])
    which = "" if number is None else f" {number}"
    raise AddressError(f"{url.text}: no interface{which} of the device has bulk endpoints in both directions")
