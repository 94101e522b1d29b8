"""A serial port for pages of a test: at the place of the browser's own, it leads to a robot at a wire.

`PORT` replaces `navigator.serial`; a `PortBridge` connects what the page opens with the robot.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from websockets.exceptions import ConnectionClosed
from websockets.protocol import OPEN
from websockets.sync.server import ServerConnection, serve

from wbridge.hal.link.errors import ConnectionLost
from wbridge.hal.link.pipe import Pipe
from wbridge.hal.link.transports import connect_bytes

PORT = """
{
  const lost = () => new DOMException('The device has been lost.', 'NetworkError');
  class BridgedPort {
    async open({baudRate}) {
      if (this.readable || this.isClosing) throw new DOMException('It is open already.', 'InvalidStateError');
      if (answers.isBusy) throw new DOMException('Failed to open serial port.', 'NetworkError');
      const socket = this.socket = new WebSocket(`ADDRESS?baud=${baudRate}`);
      socket.binaryType = 'arraybuffer';
      await new Promise((resolve, reject) => {
        socket.onopen = resolve;
        socket.onclose = () => reject(new DOMException('Failed to open serial port.', 'NetworkError'));
      });
      this.readable = new ReadableStream({start: (stream) => {
        socket.onmessage = ({data}) => stream.enqueue(new Uint8Array(data));
        socket.onclose = () => {
          this.readable = this.writable = null;
          stream.error(lost());
        };
      }});
      this.writable = new WritableStream({write: (data) => {
        if (socket.readyState !== WebSocket.OPEN) throw lost();
        socket.send(data);
      }});
    }

    async setSignals(signals) {
      this.socket.send(JSON.stringify(signals));
    }

    async close() {
      this.readable = this.writable = null;
      this.isClosing = true; // Web Serial: a port is opened only after it is closed
      await new Promise((resolve) => {
        this.socket.onclose = resolve;
        this.socket.close();
      });
      this.isClosing = false;
    }
  }
  const port = new BridgedPort();
  const answers = globalThis.portAnswers = {refuse: '', isBusy: false};
  Object.defineProperty(navigator, 'serial', {value: {requestPort: async () => {
    if (answers.refuse) throw new DOMException('refused', answers.refuse);
    return port;
  }}});
}
"""
"""Stands for Web Serial; `portAnswers.refuse` is the name of the error with which a choice ends, `isBusy`
says that another program has the port."""


class PortBridge:
    """Leads pages to a wire; one page at a time, as with a serial port."""

    def __init__(self, plug: Callable[[], Pipe], stays_open: bool = False) -> None:
        """
        Args:
            plug: connects with the robot or board.
            stays_open: the pipe is the same for all pages, and is not closed after one.
        """
        self.speeds: list[str] = []
        """What the pages asked for when they opened the port."""
        self.signals: list[str] = []
        self.is_plugged = True
        self.pulls_at: Callable[[bytes], bool] = lambda data: False
        """True for what the page sends when the cable is pulled; the robot does not get it."""
        self._plug, self._stays_open = plug, stays_open
        self._page: ServerConnection | None = None
        self._wire = threading.Lock()
        self._server = serve(self._serve, "127.0.0.1", 0, compression=None)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    @property
    def script(self) -> str:
        """What a page runs first."""
        return PORT.replace("ADDRESS", f"ws://127.0.0.1:{self._server.socket.getsockname()[1]}/")

    @property
    def is_free(self) -> bool:
        """True if no page has the port open."""
        return self._page is None

    def pull(self) -> None:
        """Pull the cable."""
        self.is_plugged = False
        if self._page is not None:
            self._page.close()

    def _serve(self, page: ServerConnection) -> None:
        former = self._page
        if not self.is_plugged or (former is not None and former.protocol.state is OPEN):
            return  # the port is in use
        with self._wire:  # a page that has closed the port may still be served
            self._carry(page)

    def _carry(self, page: ServerConnection) -> None:
        self._page = page
        assert page.request is not None
        self.speeds.append(page.request.path.partition("baud=")[2])
        pipe = self._plug()
        back = threading.Thread(target=_pass_back, args=(pipe, page))
        back.start()
        with suppress(ConnectionClosed, ConnectionLost):
            for data in page:
                if isinstance(data, str):
                    self.signals.append(data)
                elif self.pulls_at(data):
                    self.is_plugged = False
                    break
                else:
                    pipe.send(data)
        page.close()
        back.join()
        if not self._stays_open:
            pipe.close()
        self._page = None

    def close(self) -> None:
        """End the bridge."""
        self.pull()
        self._server.shutdown()
        self._thread.join()


def _pass_back(pipe: Pipe, page: ServerConnection) -> None:
    with suppress(ConnectionClosed, ConnectionLost):
        while page.protocol.state.name != "CLOSED":
            if data := pipe.receive(0.05):
                page.send(data)


@contextmanager
def bridged(url: str) -> Iterator[PortBridge]:
    """A bridge until the end of the block."""
    bridge = PortBridge(lambda: connect_bytes(url))
    try:
        yield bridge
    finally:
        bridge.close()
