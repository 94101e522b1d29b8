"""Start the demo of an installed wbridge, and print how long its first picture takes (s).

python first_picture.py PROGRAM...

PROGRAM: the words that start wbridge. It needs nothing but what wbridge requires: it is copied into rooms. A
picture is there when the page, the scene and the first poses of its objects have arrived, which is all that
a browser draws from.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from websockets.sync.client import connect
from websockets.typing import Origin

__all__ = ["address_in", "first_poses"]

PATIENCE_S = 120.0
"""Longest wait for what the demo sends."""
LARGEST = 2**26
"""Most bytes of a message."""


def address_in(line: str) -> str | None:
    """Return the address of the page, if a line of the demo says it."""
    view = re.match(r"view: (http://\S+)", line)
    return view and view[1]


def first_poses(address: str) -> int:
    """Open the page as a browser does; return how many bytes of page, scene and poses have come.

    Raises:
        OSError, TimeoutError: the demo does not answer.
    """
    parts = urlsplit(address)
    place = f"{parts.scheme}://{parts.netloc}"
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    count = len(opener.open(address, timeout=PATIENCE_S).read())
    live = f"ws://{parts.netloc}/live?{parts.query}&scene=1"
    with connect(live, origin=Origin(place), max_size=LARGEST) as socket:
        while not isinstance(message := socket.recv(timeout=PATIENCE_S), bytes):
            for file in _files(json.loads(message)):
                count += len(opener.open(f"{place}/scene/{file}", timeout=PATIENCE_S).read())
        return count + len(message)


def _files(news: dict[str, Any]) -> list[str]:
    """The file of the scene, if a message names it."""
    file = (news.get("scene") or {}).get("file")
    return [file] if file else []


def main(program: Sequence[str]) -> int:
    """Start the demo, wait for the picture, and end the demo; return the exit code."""
    start = time.perf_counter()
    command = [*program, "demo", "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as demo:
        assert demo.stdout is not None
        try:
            address = next(filter(None, map(address_in, demo.stdout)), None)
            if address is None:
                print("the demo has named no page", file=sys.stderr)
                return 1
            count = first_poses(address)
            seconds = time.perf_counter() - start
        finally:
            demo.terminate()
    print(json.dumps({"seconds": round(seconds, 2), "bytes": count}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
