"""`wbridge help`: explain a command, a topic, or a node."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from wbridge.failures import DONE, InputError
from wbridge.json_output import add_json, print_json
from wbridge.main import overview, parser_of, verbs
from wbridge.text_table import columns
from wbridge.topics import node_text, topic_lines, topic_text, topics
from wbridge.topics.bundled import model_files, model_text
from wbridge.wbcore.scene.diagnostics import did_you_mean
from wbridge.wbcore.scene.schema import schema
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.template_folders import board_folders

HELP = "explain a command, a topic, a node or model of worlds, or list the boards"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "topic",
        nargs="*",
        metavar="TOPIC",
        help="a command such as run, a topic such as controllers, a node such as DistanceSensor, "
        "a model such as E-puck, boards, or a board (default: list commands and topics)",
    )
    add_json(parser, "text")


def run(args: Namespace) -> int:
    """Print the text of the topic."""
    text = _text(args.topic)
    if args.json:
        print_json({"topic": " ".join(args.topic), "text": text})
    else:
        print(text)
    return DONE


def _text(words: list[str]) -> str:
    if not words:
        width = max(map(len, topics()), default=0)
        lines = [f"  {name:{width}}  {title}" for name, title in topic_lines()]
        return "\n".join(
            [overview(), "", "topics (`wbridge help TOPIC`, or a node's or a model's name):", *lines]
        )
    first = _known(words[0])
    if first in verbs():
        return parser_of(first, *words[1:]).format_help().rstrip()
    if len(words) == 1 and first in topics():
        return topic_text(first)
    if len(words) == 1 and first == "boards":
        return _boards()
    if len(words) == 1 and first in board_folders():
        return _board(first)
    if len(words) == 1 and (text := node_text(first) or model_text(first)):
        return text
    raise InputError(_unknown(" ".join(words)))


def _known(name: str) -> str:
    """Return a name as it is written, whatever letters are capital; itself if it is unknown."""
    every = _names()
    return name if name in every else next((each for each in every if each.lower() == name.lower()), name)


def _names() -> list[str]:
    return [*verbs(), *topics(), "boards", *board_folders(), *schema().names(), *model_files()]


def _boards() -> str:
    rows = [[name, load_board(name).title] for name in board_folders()]
    return "\n".join(["boards for `wbridge firmware new WORLD --board BOARD`", "", *columns(rows)])


def _board(name: str) -> str:
    return f"{name}: {load_board(name).title}\nnext: wbridge firmware new WORLD --board {name}"


def _unknown(name: str) -> str:
    return f"no topic '{name}'{did_you_mean(name, _names())}; list all topics with: wbridge help"
