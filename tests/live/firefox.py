"""Firefox for tests, driven by its own WebDriver BiDi (https://www.w3.org/TR/webdriver-bidi/)."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from websockets.sync.client import ClientConnection, connect

__all__ = ["Firefox", "firefox", "found_firefox"]

PROGRAM = "firefox-esr"
"""What `make test-live` installs."""
LISTENS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
MOST_BYTES = 64 << 20
LATEST_S = 240.0
"""For one answer; only a broken page takes longer."""


def found_firefox() -> str | None:
    """Return the program; None if this computer has none."""
    return shutil.which(PROGRAM)


class Firefox:
    """A window of Firefox."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket, self._numbers = socket, count(1)
        self._ask("session.new", capabilities={})
        self._window = self._ask("browsingContext.create", type="tab")["context"]

    def _ask(self, method: str, **values: object) -> dict[str, dict[str, str]]:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": values}))
        while True:
            answer = json.loads(self._socket.recv(LATEST_S))
            if answer.get("id") == number:
                assert answer["type"] == "success", answer
                result: dict[str, dict[str, str]] = answer["result"]
                return result

    def goto(self, address: str) -> None:
        """Show a page."""
        self._ask("browsingContext.navigate", context=self._window, url=address, wait="complete")

    def evaluate(self, code: str):  # type: ignore[no-untyped-def]
        """Return what JavaScript, which may be a promise, gives; it must fit into JSON."""
        answer = self._ask(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({code})) ?? 'null')()",
            target={"context": self._window},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def wait_for(self, code: str):  # type: ignore[no-untyped-def]
        """Wait until JavaScript gives something true; return that."""
        look = f"const found = {code}; if (found) resolve(found); else setTimeout(look, 20)"
        return self.evaluate(f"new Promise((resolve) => {{ const look = () => {{ {look}; }}; look(); }})")


@contextmanager
def firefox(program: str, preferences: Mapping[str, bool] | None = None) -> Iterator[Firefox]:
    """Start Firefox, without a window on the screen, until the end of the block.

    Args:
        program: Firefox.
        preferences: switches of `about:config`.
    """
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        lines = [
            f"user_pref({json.dumps(name)}, {json.dumps(is_on)});"
            for name, is_on in (preferences or {}).items()
        ]
        Path(folder, "user.js").write_text("\n".join(lines), "utf-8")
        words = ["--headless", "--no-remote", "--profile", folder, "--remote-debugging-port", "0"]
        variables = {**os.environ, "HOME": folder}
        process = subprocess.Popen(
            [program, *words, "about:blank"], env=variables, stderr=subprocess.PIPE, text=True
        )
        assert process.stderr is not None
        found = next(filter(None, map(LISTENS.search, process.stderr)), None)
        assert found is not None, "Firefox does not start"
        log = subprocess.Popen(
            ["cat"], stdin=process.stderr, stdout=subprocess.DEVNULL
        )  # else its pipe fills
        try:
            with connect(f"{found[1]}/session", max_size=MOST_BYTES) as socket:
                yield Firefox(socket)
        finally:
            process.terminate()
            process.wait()
            process.stderr.close()
            log.wait()
            Path(folder, "lock").unlink(missing_ok=True)
