"""The option --json of commands: the result as one JSON object on standard output."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping

__all__ = ["add_json", "print_json"]


def add_json(parser: ArgumentParser, what: str = "result") -> None:
    """Declare the option; `what` names the result in the help."""
    parser.add_argument("--json", action="store_true", help=f"print the {what} as one JSON object")


def print_json(result: Mapping[str, object]) -> None:
    """Print the object at once; paths become text."""
    print(json.dumps(result, indent=2, default=str), flush=True)
