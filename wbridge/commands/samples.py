"""`wbridge samples`: list the sample worlds, and copy one with its controller into a folder."""

from __future__ import annotations

import logging
from argparse import ArgumentParser, Namespace
from pathlib import Path
from shlex import quote

from wbridge.failures import DONE
from wbridge.json_output import add_json, print_json
from wbridge.projects.samples import Sample, copy_sample, find_sample, samples
from wbridge.text_table import columns

HELP = "list the sample worlds, or copy one with its controller into a folder"

_LOG = logging.getLogger("wbridge")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "sample", nargs="?", metavar="SAMPLE", help="the sample to copy (default: list all samples)"
    )
    parser.add_argument(
        "folder",
        nargs="?",
        type=Path,
        metavar="FOLDER",
        help="where to copy it (default: a new folder with the sample's name)",
    )
    add_json(parser, "list, or the copy,")


def run(args: Namespace) -> int:
    """List the samples, or copy one."""
    if args.sample is None:
        _print_list(samples(), args.json)
        return DONE
    sample = find_sample(args.sample)
    world = copy_sample(sample, args.folder or Path(sample.name))
    if args.json:
        print_json({**_data(sample), "world": str(world)})
        return DONE

    print(world)
    for name in sample.controllers:
        print(world.parents[1] / "controllers" / name)
    _LOG.info("next: wbridge run %s", quote(str(world)))
    return DONE


def _print_list(known: list[Sample], as_json: bool) -> None:
    if as_json:
        print_json({"samples": [_data(sample) for sample in known]})
        return
    print("\n".join(columns([[sample.name, sample.text] for sample in known])))
    _LOG.info("to watch one: wbridge demo NAME; to work on a copy: wbridge samples NAME FOLDER")


def _data(sample: Sample) -> dict[str, object]:
    return {"name": sample.name, "text": sample.text, "controllers": sample.controllers}
