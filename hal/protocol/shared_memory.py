"""Packets through memory that a controller shares with its simulator.

A packet through a socket takes several system calls; one through memory takes none while its receiver is
awake. The simulator creates the memory and passes it over the socket (see `offer` and `accept`). Each
direction has room for one packet. The socket carries everything else: large packets, packets for a receiver
that blocks, and the end of the connection. Each packet in memory states how many bytes were sent through the
socket before it, so the receiver restores the order of the two.

Nothing the other side writes is trusted: each number is read once and checked, and packets are copied before
they are decoded. The memory is sealed, so the other side cannot shrink it.
"""

from __future__ import annotations

import os
from _thread import allocate_lock
from functools import partial
from typing import TYPE_CHECKING

from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.low_latency import Spin, receiver_at_once, waiter

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

SUFFIX = ".shared"
"""Appended to the path of a robot's socket: the socket that offers shared memory."""
HALF = 1 << 14
"""Bytes of one direction; the one to the simulator comes first."""
DATA = 128
CAPACITY = HALF - DATA
"""Maximum size of a packet in memory, in bytes."""
WRITTEN, SIZE, AFTER = 0, 1, 2
"""Words (8 bytes) of the sender: number of packets written; size of the latest in bytes; number of bytes sent
through the socket before it."""
TAKEN, ASLEEP = 8, 9
"""Words of the receiver: number of packets taken; 1 while it blocks and must be woken through the socket."""
CHUNK = 1 << 14
SOCKET_POLLS = 32
"""While a receiver spins, it polls the socket once per this number of polls of the memory."""


def is_useful(spin: Spin) -> bool:
    """True if memory can be shared on this machine and its receiver may spin.

    Only processors that keep the order of writes (x86) qualify: Python has no instruction for it.
    """
    return hasattr(os, "memfd_create") and os.uname().machine == "x86_64" and spin.rest >= 0


def offer(connection: socket.socket) -> int | None:
    """Create memory and pass it to a controller that has connected; return its file, or None."""
    from socket import send_fds  # start-up: see wbridge.hal.connection.connect

    file = None
    try:
        file = _create()
        send_fds(connection, [b"\0"], [file])
    except OSError:
        if file is not None:
            os.close(file)
        return None
    return file


def _create() -> int:
    import fcntl  # start-up: only the simulator needs it

    file = os.memfd_create("wbridge", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        os.ftruncate(file, 2 * HALF)
        # The controller is asleep until it says otherwise: it may fail to map the memory.
        os.pwrite(file, b"\1", HALF + 8 * ASLEEP)
        fcntl.fcntl(file, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)
    except OSError:
        os.close(file)
        raise
    return file


def accept(connection: socket.socket) -> int | None:
    """Receive the memory that a simulator offers; return its file, or None: the socket alone is used."""
    from socket import recv_fds  # start-up: see wbridge.hal.connection.connect

    try:
        _, files, _, _ = recv_fds(connection, 1, 1)
    except OSError:
        return None
    if files and os.fstat(files[0]).st_size != 2 * HALF:
        os.close(files.pop())
    return files[0] if files else None


class SharedChannel:
    """One side's use of shared memory, next to the socket that belongs to it."""

    def __init__(
        self,
        file: int,
        connection: socket.socket,
        wake: Callable[[], None],
        is_simulator: bool = False,
        timeout_ms: float | None = None,
    ) -> None:
        """
        Args:
            file: the memory; closed here.
            connection: a blocking socket.
            wake: sends a packet without effect through the socket.
            is_simulator: this is the simulator's side.
            timeout_ms: longest time for `receive` to block; None: no limit.

        Raises:
            OSError: the memory cannot be mapped.
        """
        from mmap import mmap  # start-up: not for controllers inside of the simulator

        try:
            self._memory = mmap(file, 2 * HALF)
        finally:
            os.close(file)
        whole = memoryview(self._memory)
        into, out = (whole[:HALF], whole[HALF:]) if is_simulator else (whole[HALF:], whole[:HALF])
        self._in, self._in_data = into[:DATA].cast("Q"), into[DATA:]
        self._out, self._out_data = out[:DATA].cast("Q"), out[DATA:]
        for view in (whole, into, out):
            view.release()
        self._written = self._taken = 0
        self.sent = 0
        """Number of bytes sent through the socket; the owner counts them."""
        self._received = 0
        self._wake, self._timeout_ms, self._wait = wake, timeout_ms, Spin().wait
        self._fence = allocate_lock()
        self._recv = partial(connection.recv, CHUNK)
        self._recv_at_once = receiver_at_once(connection, CHUNK)
        self._wait_for_input = waiter(connection)
        self._polls = 0
        self._in[ASLEEP] = 0

    def close(self) -> None:
        """Release the memory; nothing else may be called afterwards."""
        for view in (self._in, self._in_data, self._out, self._out_data):
            view.release()
        self._memory.close()

    def write(self, packet: bytes) -> bool:
        """Send a packet; False if it must go through the socket."""
        out, size = self._out, len(packet)
        if out[ASLEEP] or out[TAKEN] != self._written or size > CAPACITY:
            return False
        self._out_data[:size] = packet
        out[SIZE], out[AFTER] = size, self.sent
        self._written += 1
        out[WRITTEN] = self._written
        self._order()
        if out[ASLEEP]:  # it began to block meanwhile
            self._wake()
        return True

    def _order(self) -> None:
        """Complete earlier writes before later reads: operations on locks are memory barriers."""
        if self._fence.acquire(False):
            self._fence.release()

    @property
    def has_packet(self) -> bool:
        """True if `take` returns a packet."""
        words = self._in
        return words[WRITTEN] == self._taken + 1 and words[AFTER] <= self._received

    def take(self) -> bytes | None:
        """The packet in memory; None if there is none or bytes from the socket come before it.

        Raises:
            ProtocolError: the packet's size is impossible.
        """
        return self._taken_packet() if self.has_packet else None

    def _taken_packet(self) -> bytes:
        size = self._in[SIZE]
        if size > CAPACITY:
            raise ProtocolError(f"a packet of {size} bytes in shared memory; allowed: up to {CAPACITY}")
        packet = bytes(self._in_data[:size])
        self._taken += 1
        self._in[TAKEN] = self._taken
        return packet

    def merge(self, data: bytes) -> bytes:
        """Return bytes received from the socket, with the packet in memory at its place among them."""
        before, self._received = self._received, self._received + len(data)
        if not self.has_packet:
            return data
        cut = max(self._in[AFTER] - before, 0)
        return data[:cut] + self._taken_packet() + data[cut:]

    def fall_asleep(self) -> None:
        """Make the other side wake this one through the socket; check `has_packet` before blocking."""
        self._in[ASLEEP] = 1
        self._order()

    def wake_up(self) -> None:
        """End `fall_asleep`."""
        self._in[ASLEEP] = 0

    def receive(self) -> bytes:
        """Receive from memory or socket like a blocking socket's `recv`; spin before blocking.

        Raises:
            BlockingIOError: nothing has arrived in time.
            OSError: see `socket.recv`.
            ProtocolError: see `take`.
        """
        return self._wait(self._poll, self._block)

    def _poll(self) -> bytes | None:
        words = self._in
        if words[WRITTEN] == self._taken + 1 and words[AFTER] <= self._received:
            return self._taken_packet()
        self._polls += 1
        return None if self._polls % SOCKET_POLLS else self._poll_socket()

    def _poll_socket(self) -> bytes | None:
        try:
            return self.merge(self._recv_at_once())
        except BlockingIOError:
            return None

    def _block(self) -> bytes:
        self.fall_asleep()
        try:
            packet = self.take()
            if packet is not None:
                return packet
            if not self._wait_for_input(self._timeout_ms):
                raise BlockingIOError
            return self.merge(self._recv())
        finally:
            self.wake_up()
