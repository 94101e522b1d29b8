"""`make live`: fetch the toolchain, compile the parts, and write the site into build/live/site."""

from __future__ import annotations

import subprocess
import sys

from scripts.fetch_source import NotFetchedError
from scripts.live.compiling import compile_parts
from scripts.live.emscripten import ROOT
from scripts.live.toolchain import prepare
from wbridge.live.site import build_site

FOLDER = ROOT / "build" / "live"


def main() -> int:
    """Build the site; return the exit code."""
    try:
        tools = prepare(FOLDER / "toolchain")
        compile_parts(tools, FOLDER / "objects", FOLDER / "parts")
    except NotFetchedError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as problem:
        return problem.returncode
    build_site(FOLDER / "parts", ROOT, FOLDER / "site")
    print(f"{FOLDER / 'site'}: show it with `wbridge live serve`")
    return 0


if __name__ == "__main__":
    sys.exit(main())
