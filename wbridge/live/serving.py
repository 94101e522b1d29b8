"""A web server on this machine's loopback address, to try the static site."""

from __future__ import annotations

import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import socket

__all__ = ["site_server"]

LASTING = "public, max-age=31536000, immutable"


class SiteFiles(SimpleHTTPRequestHandler):
    """Serves the files of a site as a pages host would."""

    extensions_map = {
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".js": "text/javascript",
        ".wasm": "application/wasm",
    }

    def end_headers(self) -> None:
        """Let browsers keep versioned files for good."""
        self.send_header("Cache-Control", LASTING if self.path.startswith("/v-") else "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Print no line for each request."""


class SiteServer(ThreadingHTTPServer):
    """Serves several pages at once."""

    def handle_error(self, request: socket, client_address: tuple[str, int]) -> None:  # type: ignore[override]
        """Print nothing when a page was left while it was loaded."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def site_server(folder: Path, port: int) -> ThreadingHTTPServer:
    """Return a server for the folder; `serve_forever` starts it.

    Args:
        folder: of the site.
        port: 0: any free one.

    Raises:
        OSError: the port is in use.
    """
    return SiteServer(("127.0.0.1", port), partial(SiteFiles, directory=str(folder)))
