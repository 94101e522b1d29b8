"""`wbridge view`: open a recording in the browser."""

from __future__ import annotations

import logging
import tempfile
from argparse import ArgumentParser, Namespace
from pathlib import Path

from wbridge.failures import DONE, InputError
from wbridge.json_output import add_json, print_json
from wbridge.running.browser import open_page
from wbridge.running.replaying import is_recording, write_animation, write_recording
from wbridge.running.writable import Output, check_output

HELP = "open a recording in the browser, also an animation of Webots"

_LOG = logging.getLogger("wbridge")
_PAGE = Output("write", "a recording", (".html",))
_SUFFIXES = (".html", ".json", ".x3d", ".w3d")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "recording",
        type=Path,
        metavar="RECORDING",
        help="a page of wbridge run --record, or a file of an animation in Webots' format: .html, .json, "
        ".x3d or .w3d",
    )
    parser.add_argument(
        "--output",
        type=Path,
        metavar="FILE.html",
        help="write the page here (default: a temporary file)",
    )
    parser.add_argument("--no-open", action="store_true", help="do not open the browser")
    add_json(parser, "address")


def run(args: Namespace) -> int:
    """Open the page, whose address is printed."""
    path: Path = args.recording
    check_output(args.output, _PAGE)
    if path.suffix.lower() not in _SUFFIXES:
        raise InputError(f"{path} is not a recording; allowed: {', '.join(_SUFFIXES)}")
    if not path.is_file():
        raise InputError(f"{path} does not exist; wbridge run WORLD --record {path.stem}.html records a run")

    page = args.output or Path(tempfile.mkdtemp(prefix="wbridge-")) / f"{path.stem}.html"
    write = write_recording if is_recording(path) else write_animation
    write(path, page)
    address = page.resolve().as_uri()
    if args.json:
        print_json({"file": page, "address": address})
    else:
        _LOG.info("%s", address)
    if not args.no_open:
        open_page(address)
    return DONE
