"""`wbridge ports`: what is plugged in, and which remote control fits."""

from __future__ import annotations

import json
import re
import sys
from types import SimpleNamespace

import pytest
from serial.tools import list_ports

from wbridge.hal.link.usb_device import UsbDevice
from wbridge.main import main
from wbridge.running import local_ports


def port(device: str, vid: int | None = None, pid: int | None = None, product: str = "") -> SimpleNamespace:
    return SimpleNamespace(
        device=device, vid=vid, pid=pid, product=product or None, manufacturer=None, description="n/a"
    )


PORTS = [
    port("/dev/ttyUSB0", 0x0403, 0x6015, "FT231X"),
    port("/dev/ttyACM0", 0x2341, 0x0043, "Uno"),
    port("/dev/ttyACM1", 0x1D50, 0x6018, "e-puck2 Programmer"),
    port("/dev/rfcomm0"),
    port("/dev/ttyS0"),
]


@pytest.fixture
def no_usb(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_ports, "_usb_devices", lambda notes, backend: [])


@pytest.fixture
def ports(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_ports, "comports", lambda: PORTS)


def test_ports_are_named_with_what_fits(ports: None, no_usb: None, capsys: pytest.CaptureFixture[str]):
    assert main(["ports", "--json"]) == 0
    found = {one["url"]: one for one in json.loads(capsys.readouterr().out)["ports"]}
    assert sorted(found) == sorted(f"serial://{one.device}" for one in PORTS)
    assert found["serial:///dev/ttyACM1"]["plugins"] == ["epuck"]
    assert found["serial:///dev/ttyACM0"]["ids"] == "2341:0043"
    assert "wblink" in found["serial:///dev/ttyACM0"]["plugins"]
    assert found["serial:///dev/ttyACM0"]["hint"] == "Arduino"
    assert found["serial:///dev/ttyUSB0"]["plugins"][0] == "create2"
    assert found["serial:///dev/rfcomm0"]["plugins"][0] == "epuck"
    assert found["serial:///dev/ttyS0"]["plugins"] == ["wblink"]


def test_the_list_ends_with_what_to_do(ports: None, no_usb: None, capsys: pytest.CaptureFixture[str]):
    assert main(["ports"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[0].split() == ["url", "usb", "name", "remote", "control", "hint"]
    assert len(out.splitlines()) == 1 + len(PORTS)
    assert err.startswith("for example: wbridge remote WORLD --plugin epuck --url serial:///dev/rfcomm0")


def test_nothing_is_no_failure(
    no_usb: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(list_ports, "comports", list)
    assert main(["ports"]) == 0
    assert "no device found that looks like a robot" in capsys.readouterr().err


def test_usb_devices_have_bulk_endpoints(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(list_ports, "comports", list)
    device = UsbDevice(0x1209, 0x0001, None)  # type: ignore[arg-type]
    found, notes = local_ports.candidates(device)
    assert [(one.url, one.kind, one.plugins) for one in found] == [("usb://1209:0001", "usb", ("wblink",))]
    assert notes == []


def test_a_usb_device_that_is_a_serial_port_is_told_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(list_ports, "comports", lambda: [port("/dev/ttyACM0", 0x1209, 0x0001)])
    found, _ = local_ports.candidates(UsbDevice(0x1209, 0x0001, None))  # type: ignore[arg-type]
    assert [one.kind for one in found] == ["serial"]


@pytest.mark.parametrize(
    ("module", "package"), [("serial.tools.list_ports", "pyserial"), ("usb.core", "pyusb")]
)
def test_a_package_that_is_missing_is_named(module: str, package: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, module, None)
    notes = local_ports.candidates(UsbDevice(0x1209, 0x0001, None))[1]  # type: ignore[arg-type]
    assert [f"pip install {package}" in note for note in notes] == [True]


def test_columns_stay_apart(
    no_usb: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Two spaces separate columns: none is empty, and no name of a device has two spaces or a line break."""
    odd = [port("/dev/ttyS0"), port("/dev/ttyUSB0", 0x0403, 0x6015, "FT  231X\nUART\x1b[2J")]
    monkeypatch.setattr(list_ports, "comports", lambda: odd)
    assert main(["ports"]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    rows = [re.split("  +", line) for line in out.splitlines()]
    assert {len(row) for row in rows} == {5} and len(rows) == 3
    assert rows[1][1:3] == ["-", "-"]
