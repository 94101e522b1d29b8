"""The window server: pages, the project's own windows, and their connections, in one thread.

    hub = Hub()
    with WindowServer(hub, port=8765) as server:
        print(server.url)

It listens only on this machine by default, and refuses clients that do not know the token.
"""

from __future__ import annotations

import asyncio
import http
import logging
import secrets
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from wbridge.hal.closing import Closing
from wbridge.hal.protocol.peer_user import is_own_user
from wbridge.robot_windows.addresses import place, reachable
from wbridge.robot_windows.files import ServedFile, find_file
from wbridge.robot_windows.guard import CODE, TOKEN, Guard, kept_token, token_of
from wbridge.robot_windows.hub import Hub, Watched
from wbridge.robot_windows.page_session import PageSession
from wbridge.robot_windows.wwi import WindowPage

__all__ = ["FIRST_PORT", "PORTS", "WindowServer"]

FIRST_PORT, PORTS = 8765, 20
LARGEST_MESSAGE = 2**20
"""Maximum bytes of a message; larger ones close the connection."""
MOST_WAITING = 2**20
"""Queued bytes at which a page receives no more updates."""
MOST_PAGES = 64
NO_TOKEN = (
    "This address needs its token. Open the complete address that wbridge printed at start,\n"
    "http://.../?token=...\n"
)
SAFE = "/%?:@!$&'()*+,;=~-._"
"""Characters of an address that a redirect keeps."""
GOING_AWAY, MOST_REASON = 1001, 120
"""Close code of the end of a run, and maximum bytes of its reason (RFC 6455, 5.5)."""
FIRST_PAGE, EXPECTED_S = "/", 3.0
"""The page that begins with the 3D view, and the time (s) in which it is expected to connect."""
TALKS: dict[str, type[PageSession] | type[WindowPage]] = {"/live": PageSession, "/": WindowPage}
"""The handler of each WebSocket address."""


class WindowServer(Closing):
    """Serves windows until it is closed."""

    def __init__(
        self,
        hub: Hub,
        host: str = "127.0.0.1",
        port: int | None = None,
        token: str | None = None,
        tokens: str | None = None,
        names: Sequence[str] = (),
    ) -> None:
        """Start listening.

        Args:
            hub: the data to show.
            host: the address to listen on.
            port: None: the first free one from 8765 on; 0: any free one.
            token: the secret; None: the one stored for the port.
            tokens: the folder in which secrets are stored; None: they are not stored.
            names: further host names at which a proxy provides the server.

        Raises:
            OSError: the port is in use.
        """
        self.hub, self.host = hub, host
        self._pages = 0
        self._expected: asyncio.TimerHandle | None = None
        """Ends the wait for a page that is being loaded."""
        self.guard = Guard(host, 0, secrets.token_urlsafe())  # refuses everything until the port is known
        self._loop = asyncio.new_event_loop()
        self._token = token
        try:
            self._server, self.port = self._loop.run_until_complete(self._open(port))
        except BaseException:
            self._loop.close()
            raise
        if token is None:
            token = kept_token(self.port, Path(tokens)) if tokens else secrets.token_urlsafe()
        self.token = token
        self.guard = Guard(host, self.port, self.token, names)
        self._thread = threading.Thread(target=self._loop.run_forever, name="windows", daemon=True)
        self._thread.start()

    async def _open(self, port: int | None) -> tuple[Server, int]:
        ports = range(FIRST_PORT, FIRST_PORT + PORTS) if port is None else [port]
        problem: OSError | None = None
        for number in ports:
            try:
                server = await self._listen(number)
            except OSError as found:
                problem = found
                continue
            return server, next(iter(server.sockets)).getsockname()[1]
        assert problem is not None, "at least one port was tried"
        raise problem

    async def _listen(self, port: int) -> Server:
        quiet = logging.getLogger("wbridge.robot_windows.connections")
        quiet.setLevel(logging.CRITICAL)  # connections of unknown clients are not reported
        server: Server = await serve(
            self._talk,
            self.host,
            port,
            process_request=self._answer,
            compression=None,
            max_size=LARGEST_MESSAGE,
            max_queue=16,
            write_limit=MOST_WAITING,
            close_timeout=1,
            logger=quiet,
            server_header=None,
        )
        return server

    @property
    def origin(self) -> str:
        """The origin of the pages."""
        return f"http://{place(reachable(self.host), self.port)}"

    @property
    def url(self) -> str:
        """The address to open, with its token."""
        return f"{self.origin}/?{TOKEN}={quote(self.token)}"

    @property
    def url_once(self) -> str:
        """The address for a browser that is started here: with a code that works once, not the token."""
        return f"{self.origin}/?{CODE}={quote(self.guard.code or '')}"

    # Requests.

    def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """Refuse, or answer with a file; None upgrades to a WebSocket."""
        # A header given twice is an attempt to be interpreted in two ways.
        try:
            host, origin = request.headers.get("Host"), request.headers.get("Origin")
            cookies, upgrade = request.headers.get("Cookie"), request.headers.get("Upgrade")
        except LookupError:
            return _text(400, "duplicate header\n")
        try:
            address = urlsplit(request.path)
        except ValueError:
            return _text(400, "invalid address\n")
        local = str(connection.local_address[0])
        if not self.guard.is_host(host, local):
            return _text(
                421, f"unknown host name; open {self.origin}, or allow this name with --allow-host\n"
            )
        if not self.guard.is_origin(origin, local):
            return _text(403, "request from another origin refused\n")
        client = str(connection.remote_address[0])
        is_opening = self.guard.redeems(address.query, client, lambda: _is_own_user(connection))
        if not is_opening and not self.guard.knows(cookies, address.query, client):
            return _text(403, NO_TOKEN)
        if upgrade is not None:
            return self._admit(address.path)
        if is_opening or token_of(address.query) is not None:
            return self._welcome(address.path, address.query)
        if address.path == FIRST_PAGE and self.hub.world.scenes is not None:
            self._expect()
        file = find_file(address.path, self.hub.world.windows, self.hub.world.scenes)
        if file is None:
            return _text(404, "page not found\n")
        response, cookie = _file(file), self.guard.cookie_in(cookies)
        if cookie is not None and self.guard.cookies.is_due(cookie):
            response.headers["Set-Cookie"] = self.guard.set_cookie()
        return response

    def _expect(self) -> None:
        """Watch the scene for a page that is being loaded: it is described by the time the page connects."""
        if self._expected is not None:
            self._expected.cancel()
        self.hub.watch(self, Watched(scene=True))
        self._expected = self._loop.call_later(EXPECTED_S, self.hub.leave, self)

    def _admit(self, path: str) -> Response | None:
        if path not in TALKS:
            return _text(404, "no WebSocket at this address\n")
        if self._pages >= MOST_PAGES:
            return _text(503, f"{MOST_PAGES} pages are open; close one\n")
        return None

    def _welcome(self, path: str, query: str) -> Response:
        """Store a cookie, and redirect to the address without the token or code."""
        secret = (f"{TOKEN}=", f"{CODE}=")
        rest = "&".join(field for field in query.split("&") if not field.startswith(secret))
        # One slash only, and nothing that browsers read as a slash or skip: it would lead to another server.
        target = "/" + quote(path.lstrip("/\\"), safe=SAFE)
        target += f"?{quote(rest, safe=SAFE)}" if rest else ""
        response = _text(302, "")
        response.headers["Location"] = target
        response.headers["Set-Cookie"] = self.guard.set_cookie()
        return response

    async def _talk(self, connection: ServerConnection) -> None:
        assert connection.request is not None, "the handshake is over"
        page = TALKS[urlsplit(connection.request.path).path](self.hub, connection)
        self._pages += 1
        try:
            await page.talk()
        except ConnectionClosed:
            pass
        finally:
            self._pages -= 1

    # Shutdown.

    def close(self) -> None:
        """End all connections."""
        if not self._thread.is_alive():
            return
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(timeout=10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=10)
        self._loop.close()

    async def _close(self) -> None:
        self._server.close(code=GOING_AWAY, reason=shortened(self.hub.end))
        await self._server.wait_closed()


def _is_own_user(connection: ServerConnection) -> bool:
    """False if a program of another user of this computer has connected, or has gone."""
    try:
        return is_own_user(connection.transport.get_extra_info("socket"))
    except OSError:
        return False


def shortened(reason: str) -> str:
    """Shorten a reason so that it fits into a close frame."""
    if len(reason.encode()) <= MOST_REASON:
        return reason
    return reason.encode()[: MOST_REASON - 3].decode("utf-8", "ignore") + "…"


def _text(status: int, text: str) -> Response:
    return _response(status, text.encode(), {"Content-Type": "text/plain; charset=utf-8"})


def _file(file: ServedFile) -> Response:
    more = {"Content-Type": file.type}
    if file.policy:
        more["Content-Security-Policy"] = file.policy
    if file.is_compressed:
        more["Content-Encoding"] = "gzip"
    if file.is_lasting:
        more["Cache-Control"] = "private, max-age=31536000, immutable"
    return _response(200, file.body, more)


def _response(status: int, body: bytes, more: dict[str, Any]) -> Response:
    headers = Headers(
        {
            "Cache-Control": "no-cache",
            "Content-Length": str(len(body)),
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "SAMEORIGIN",
            "Connection": "close",
            **more,
        }
    )
    return Response(status, http.HTTPStatus(status).phrase, headers, body)
