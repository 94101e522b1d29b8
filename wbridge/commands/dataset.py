"""`wbridge dataset`: turn recordings of robots into a dataset for learning, or describe a dataset."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from wbridge.failures import DONE, InputError, RunError
from wbridge.json_output import add_json, print_json
from wbridge.learning.datasets.from_logs import add_log, rate_of, signals_of
from wbridge.learning.datasets.layout import ACTION, STATE, DatasetError
from wbridge.learning.datasets.reader import Dataset, read_dataset
from wbridge.learning.datasets.writer import DatasetWriter
from wbridge.wbcore.recordings.device_log_reader import LogError, RobotLog, read_log
from wbridge.wbcore.scene.diagnostics import did_you_mean
from wbridge.words import counted

HELP = "turn recordings of robots into a LeRobot dataset, or describe one"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "inputs",
        nargs="+",
        type=Path,
        metavar="INPUT",
        help="recordings (FILE.mcap), one for each episode, or the folder of a dataset",
    )
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="write the recordings into this dataset")
    parser.add_argument("--robot", default="", metavar="NAME", help="robot, if a recording has several")
    parser.add_argument("--task", default="", metavar="TEXT", help="what the robot should do, in words")
    parser.add_argument(
        "--fps", type=float, metavar="HZ", help="frames per second (default: one for each step)"
    )
    add_json(parser, "what the dataset contains")


def run(args: Namespace) -> int:
    """Write the dataset, or read it, and print what it contains."""
    try:
        if args.out is not None:
            _write(args)
        elif len(args.inputs) > 1 or args.inputs[0].is_file():
            raise InputError("name the folder of the dataset to write: --out FOLDER")
        dataset = read_dataset(args.inputs[0] if args.out is None else args.out)
    except (DatasetError, ImportError) as problem:
        raise InputError(str(problem)) from problem
    except OSError as problem:
        raise RunError(f"{problem.filename or args.out}: {problem.strerror or problem}") from problem
    if args.json:
        print_json(_facts(dataset))
    else:
        print("\n".join(_lines(dataset)))
    return DONE


def _write(args: Namespace) -> None:
    logs = [_log_of(path, args.robot) for path in args.inputs]
    fps = args.fps if args.fps is not None else rate_of(logs[0])
    if not fps > 0:
        raise InputError(f"--fps: expected a positive number, not {fps:g}")
    signals = signals_of(logs)
    state, action = (
        [name for signal in signals if signal.is_command == is_command for name in signal.names]
        for is_command in (False, True)
    )
    with DatasetWriter(args.out, fps, state, action, robot=logs[0].table.name) as writer:
        for path, log in zip(args.inputs, logs, strict=True):
            add_log(writer, log, signals, fps, args.task or path.stem)


def _log_of(path: Path, robot: str) -> RobotLog:
    try:
        logs = read_log(path)
    except LogError as problem:
        raise InputError(str(problem)) from problem
    if robot and robot not in logs:
        names = ", ".join(f'"{name}"' for name in logs)
        raise InputError(f'{path} has no robot "{robot}"{did_you_mean(robot, list(logs))}; robots: {names}')
    if not robot and len(logs) != 1:
        names = ", ".join(f'"{name}"' for name in logs)
        raise InputError(f"{path} has {counted(len(logs), 'robot')}; choose with --robot: {names}")
    return logs[robot or next(iter(logs))]


def _facts(dataset: Dataset) -> dict[str, object]:
    columns = {name: dataset.names(name) for name in dataset.info["features"]}
    return {
        "folder": dataset.folder,
        "robot": dataset.info.get("robot_type"),
        "fps": dataset.fps,
        "episodes": len(dataset),
        "frames": dataset.frames,
        "tasks": dataset.tasks,
        "cameras": dataset.cameras,
        "columns": columns,
    }


def _names(dataset: Dataset, column: str) -> list[str]:
    return dataset.names(column) if column in dataset.info["features"] else []


def _lines(dataset: Dataset) -> list[str]:
    counts = f"{counted(len(dataset), 'episode')}, {counted(dataset.frames, 'frame')} at {dataset.fps:g} Hz"
    lines = [f"{dataset.folder}: {counts}"]
    if dataset.tasks:
        lines.append(f"tasks: {', '.join(dataset.tasks)}")
    lines += [f"{name}: {', '.join(names)}" for name in (STATE, ACTION) if (names := _names(dataset, name))]
    if dataset.cameras:
        lines.append(f"cameras: {', '.join(dataset.cameras)}")
    return lines
