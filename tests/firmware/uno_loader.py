"""An Arduino Uno with Arduino's own boot loader and no program, under simavr (see uno_loader.c)."""

from __future__ import annotations

import socket
import subprocess
from pathlib import Path
from types import TracebackType

from wbridge.hal.link.pipe import Pipe
from wbridge.hal.link.transports._socket_pipe import SocketPipe
from wbridge.wbfirmware.emulators.compiled import compiled

BOOT_LOADER = Path("/usr/share/arduino/hardware/arduino/avr/bootloaders/optiboot/optiboot_atmega328.hex")
SIMAVR = Path("/usr/include/simavr")


class UnoLoader:
    """The board; `pipe` is the computer's end of its serial line."""

    def __init__(self, folder: Path) -> None:
        """`folder`: for the content of the flash, at the end."""
        self._flash = folder / "flash.bin"
        program = compiled([Path(__file__).with_suffix(".c")], [f"-I{SIMAVR}"], ["-lsimavr"])
        own, other = socket.socketpair()
        with other:
            self._process = subprocess.Popen(
                [program, BOOT_LOADER, self._flash], stdin=other, stdout=other, stderr=subprocess.DEVNULL
            )
        self.pipe: Pipe = SocketPipe(own)

    def flash(self) -> bytes:
        """Unplug the board; return the content of its flash."""
        self.pipe.close()
        self._process.wait(60)
        return self._flash.read_bytes()

    def __enter__(self) -> UnoLoader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.pipe.close()
        self._process.kill()
        self._process.wait()
