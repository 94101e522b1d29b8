"""`wbridge train`: train a policy for a task, and write it as an ONNX file."""

from __future__ import annotations

import logging
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path

from wbridge.commands.run import count_of
from wbridge.failures import DONE
from wbridge.json_output import add_json, print_json
from wbridge.text_table import columns

HELP = "train a policy for a task, and write it as an ONNX file"

_LOG = logging.getLogger("wbridge")
TRAINERS = ("es", "sb3")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "task",
        nargs="?",
        metavar="ID",
        help="such as EpuckArena-v0, or my_tasks:MyTask for a class in my_tasks.py "
        "(default: list all registered tasks)",
    )
    parser.add_argument(
        "--with",
        dest="trainer",
        choices=TRAINERS,
        default="es",
        help="es: the cross-entropy method, without further packages (default); "
        "sb3: PPO of Stable-Baselines3",
    )
    parser.add_argument(
        "--steps", type=positive, metavar="N", help="generations of es (default: 30), steps of sb3 (60000)"
    )
    parser.add_argument(
        "--hidden",
        type=_sizes,
        default=(),
        metavar="N[,N]",
        help="sizes of the hidden layers (default: 8 for es, 32,32 for sb3)",
    )
    parser.add_argument("--seed", type=count_of, default=0, metavar="N", help="random seed (default: 0)")
    parser.add_argument(
        "--threads",
        type=positive,
        default=1,
        metavar="N",
        help="worlds stepped at once (default: 1)",
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE.onnx", help="the policy (default: named after the task)"
    )
    add_json(parser, "result")


def run(args: Namespace) -> int:
    """Train, or list the tasks."""
    from wbridge.learning.training import task_texts, train_policy

    if args.task is None:
        _print_tasks(task_texts(), args.json)
        return DONE
    trained = train_policy(
        args.trainer,
        args.task,
        args.out,
        _note,
        seed=args.seed,
        steps=args.steps,
        hidden=args.hidden,
        threads=args.threads,
    )
    returns = trained.returns
    if args.json:
        values = [round(float(value), 6) for value in returns]
        row = {"task": trained.env_id, "policy": str(trained.path), "return": float(returns.mean())}
        print_json({**row, "returns": values})
        return DONE
    low, high = returns.min(), returns.max()
    print(f"return {returns.mean():.4g} ({low:.4g} to {high:.4g} in {len(returns)} new episodes)")
    print(trained.path)
    name = trained.path.stem
    _LOG.info("next: wbridge policy %s --controller controllers/%s", trained.path, name)
    return DONE


def _note(progress: str, reached: float) -> None:
    _LOG.info("%s: best return %.4g", progress, reached)


def _print_tasks(texts: list[tuple[str, str]], as_json: bool) -> None:
    if as_json:
        print_json({"tasks": [{"id": name, "text": text} for name, text in texts]})
        return
    print("\n".join(columns([[*row] for row in texts])))
    _LOG.info("to train a policy: wbridge train %s", texts[0][0])


def positive(text: str) -> int:
    """Parse a number of 1 or more."""
    count = count_of(text)
    if count == 0:
        raise ArgumentTypeError("expected 1 or more, not 0")
    return count


def _sizes(text: str) -> tuple[int, ...]:
    parts = text.split(",")
    if not all(part.isascii() and part.isdigit() and 0 < int(part) <= 1024 for part in parts):
        raise ArgumentTypeError(f"'{text}' is not a list of sizes from 1 to 1024, such as 16 or 32,32")
    return tuple(map(int, parts))
