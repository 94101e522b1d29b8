"""Entry point of the command line: find the command, run it, and return its exit code.

Exit codes: 0 done, 1 the run failed, 2 usage or input error, 130 interrupted from the keyboard.
"""

from __future__ import annotations

import gc
import logging
import re
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from traceback import format_exception
from types import TracebackType
from typing import Protocol, cast

from wbridge.colors import BOLD, colored
from wbridge.failures import DONE, FAILED, INTERRUPTED, MISUSED, CommandError, InputError
from wbridge.hal.installation import UNKNOWN, installation
from wbridge.hal.printable import printable_lines
from wbridge.log_format import PrintableFormatter
from wbridge.parsing import HelpfulParser, actions_of
from wbridge.streams import disk_problem, drop_output, open_closed_streams, print_in_order

_LOG = logging.getLogger("wbridge")
_COMMANDS = Path(__file__).parent / "commands"
_HELP = re.compile(r'^HELP = "(.+)"$', re.MULTILINE)


class Command(Protocol):
    """The interface of a module in `wbridge/commands`; its name is the command."""

    HELP: str

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the command's arguments."""

    def run(self, args: object) -> int:
        """Do the work; return the exit code."""


def verbs() -> list[str]:
    """Return the names of all commands, sorted."""
    return sorted(file.stem for file in _COMMANDS.glob("[!_]*") if _is_module(file))


def _is_module(path: Path) -> bool:
    return path.suffix == ".py" or (path / "__init__.py").is_file()


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line (default: that of the process) and return its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if argv is None:
        sys.excepthook = _print_traceback
    open_closed_streams()
    print_in_order()
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, force=True)
    logging.getLogger().handlers[0].setFormatter(PrintableFormatter("%(message)s"))
    try:
        code = _dispatch(arguments)
        sys.stdout.flush()
        return code
    except CommandError as failure:
        _LOG.error("wbridge: %s", failure)
        return failure.exit_code
    except ImportError as problem:
        if problem.name != "wbridge.wbcore.engine._engine":
            raise
        _LOG.error("wbridge: %s", problem)
        return FAILED
    except KeyboardInterrupt:
        _LOG.error("wbridge: interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has closed the pipe (`wbridge devices ... | head`).
        drop_output()
        return FAILED
    except OSError as problem:
        if not (text := disk_problem(problem)):
            raise
        _LOG.error("wbridge: %s", text)
        drop_output()
        return FAILED
    finally:
        if argv is None:
            gc.freeze()  # the process is about to end: Python need not search for garbage


def _print_traceback(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Print what Python prints at an unexpected error, without passwords and control characters."""
    sys.stderr.write(printable_lines("".join(format_exception(kind, error, trace))))


def _dispatch(arguments: list[str]) -> int:
    """Handle the options before the command, then run the command."""
    quiet = arguments[:1] in (["-q"], ["--quiet"])
    verb, *rest = arguments[quiet:] or ["--help"]
    if verb in ("-h", "--help"):
        print(overview())
        return DONE if arguments else MISUSED
    if verb == "--version":
        print(f"wbridge {_version()}")
        return DONE
    return _run(verb, ["--quiet", *rest] if quiet else rest)


def _run(verb: str, arguments: list[str]) -> int:
    """Import the module of the command (and no other) and run it."""
    known = verbs()
    if verb not in known:
        from wbridge.wbcore.scene.diagnostics import did_you_mean  # start-up: 15 ms, only for messages

        what = "option" if verb.startswith("-") else "command"
        raise InputError(
            f"unknown {what} '{verb}'{did_you_mean(verb, known)}; known commands: {', '.join(known)}"
        )
    command = cast(Command, import_module(f"wbridge.commands.{verb}"))
    args = make_parser(verb, command).parse_args(arguments)
    if args.quiet:
        logging.getLogger().setLevel(logging.ERROR)
    return command.run(args)


def parser_of(verb: str, *actions: str) -> ArgumentParser:
    """Return the parser of a command, or of one of its actions: `parser_of("firmware", "build")`.

    Raises:
        InputError: the command has no such action.
    """
    parser = make_parser(verb, cast(Command, import_module(f"wbridge.commands.{verb}")))
    for name in actions:
        below = actions_of(parser)
        if name not in below:
            from wbridge.wbcore.scene.diagnostics import did_you_mean  # start-up: 15 ms, only for messages

            known = f"actions: {', '.join(below)}" if below else "it has no actions"
            raise InputError(f"{parser.prog} has no action '{name}'{did_you_mean(name, below)}; {known}")
        parser = below[name]
    return parser


def make_parser(verb: str, command: Command) -> ArgumentParser:
    """Return the parser of a command's arguments."""
    parser = HelpfulParser(
        prog=f"wbridge {verb}", description=command.HELP, formatter_class=RawDescriptionHelpFormatter
    )
    command.add_arguments(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="print only errors")
    return parser


def overview() -> str:
    """Return the help text with one line per command."""
    known = verbs()
    width = max(map(len, known), default=0)
    lines = [
        f"  {colored(verb, BOLD, sys.stdout)}{' ' * (width - len(verb))}  {help_of(verb)}" for verb in known
    ]
    return "\n".join(
        [
            "usage: wbridge COMMAND [ARGUMENTS] | --help | --version",
            "",
            "commands:",
            *lines,
            "",
            "Run `wbridge COMMAND --help` for its arguments, and `wbridge help` for topics.",
        ]
    )


def help_of(verb: str) -> str:
    """Return the text `HELP` of a command from its file, without importing what the command needs."""
    file = _COMMANDS / f"{verb}.py"
    source = file if file.is_file() else _COMMANDS / verb / "__init__.py"
    text = _HELP.search(source.read_text(encoding="utf-8"))
    assert text is not None, f'{source} has a line HELP = "..."'
    return text[1]


def _version() -> str:
    """Return the version of the installed package, and what is unusual about the build of its engine."""
    own = installation()
    version = "(not installed: running from a source folder)" if own.version == UNKNOWN else own.version
    return f"{version}, {own.engine}" if own.engine else version


if __name__ == "__main__":
    sys.exit(main())
