"""`wbridge live`: the static site on which worlds run in the browser."""

from __future__ import annotations

import logging
from argparse import ArgumentParser, Namespace
from pathlib import Path

from wbridge.failures import DONE, InputError
from wbridge.json_output import add_json, print_json
from wbridge.live.compiled import NodeMissing
from wbridge.live.serving import site_server
from wbridge.live.site import MissingPart, build_site
from wbridge.running.windows import port_of
from wbridge.wbcore.scene.builtin import builtin_directory

HELP = "build or serve the static site on which worlds run in the browser"

_LOG = logging.getLogger("wbridge")
FIRST_PORT = 8790


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    work = parser.add_subparsers(dest="work", required=True, metavar="build|serve")
    build = work.add_parser("build", help="write the site into a folder, for any web server or pages host")
    build.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar="FOLDER",
        help="the folder; a site there is replaced",
    )
    add_json(build, "folder")
    build.set_defaults(do=_build)
    serve = work.add_parser("serve", help="serve the site on this machine, to try it")
    serve.add_argument(
        "folder", type=Path, nargs="?", metavar="FOLDER", help="of the site (default: that of `make live`)"
    )
    serve.add_argument(
        "--port",
        type=port_of,
        default=FIRST_PORT,
        metavar="N",
        help="port of the server (default: %(default)s)",
    )
    add_json(serve, "address")
    serve.set_defaults(do=_serve)


def run(args: Namespace) -> int:
    """Build or serve."""
    return int(args.do(args))


def _made() -> Path:
    """The folder in which `make live` works."""
    return Path(__file__).resolve().parent.parent.parent / "build" / "live"


def _build(args: Namespace) -> int:
    output: Path = args.output
    if output.exists() and any(output.iterdir()) and not (output / "worlds.json").is_file():
        raise InputError(f"{output} holds other files; name a new or empty folder")
    try:
        build_site(_made() / "parts", Path(builtin_directory()), output)
    except (MissingPart, NodeMissing) as problem:
        raise InputError(str(problem)) from None
    if args.json:
        print_json({"folder": output})
    _LOG.info("%s: serve it with any web server, or try it: wbridge live serve %s", output, output)
    return DONE


def _serve(args: Namespace) -> int:
    folder: Path = args.folder or _made() / "site"
    if not (folder / "worlds.json").is_file():
        raise InputError(f"{folder} is not a site; `make live` or `wbridge live build -o FOLDER` makes one")
    try:
        server = site_server(folder, args.port)
    except OSError as problem:
        raise InputError(
            f"cannot serve at port {args.port}: {problem.strerror}; choose another --port"
        ) from None
    with server:
        address = f"http://127.0.0.1:{server.server_port}/"
        if args.json:
            print_json({"address": address})
        _LOG.info("%s", address)
        server.serve_forever()
    return DONE
