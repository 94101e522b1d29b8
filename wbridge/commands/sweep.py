"""`wbridge sweep`: run a world many times with varied fields and seeds."""

from __future__ import annotations

import logging
import os
from argparse import ArgumentParser, Namespace
from pathlib import Path

from wbridge.commands.check import add_loading_arguments
from wbridge.commands.run import count_of, robot_and_controller, seconds_of
from wbridge.failures import DONE, FAILED, RunError
from wbridge.options import Loading, options
from wbridge.running.world import load_with_link, place_and_value
from wbridge.sweeping.page import Page
from wbridge.sweeping.plans import make_plan
from wbridge.sweeping.rate import Rate
from wbridge.sweeping.summary import report, write_table
from wbridge.sweeping.workers import add_worker_arguments, workers_of
from wbridge.wbfleet.sweeps.job import Job
from wbridge.wbfleet.sweeps.store import Store, StoreError
from wbridge.wbfleet.sweeps.sweep import Plan, carry_out

HELP = "run a world many times with varied fields and seeds"

_LOG = logging.getLogger("wbridge")
METHODS = ("grid", "random", "latin-hypercube", "sobol")
_DEFAULT_S = 10.0


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("world", type=Path, metavar="WORLD", help="a .wbt file")
    parser.add_argument(
        "--vary",
        action="append",
        required=True,
        metavar="NODE.FIELD=VALUES",
        help="values separated by commas, a range (low..high), or n values of a range (low..high/n); "
        "in place of NODE.FIELD, `seed` varies the random seed, and link.latency (0..50ms), link.jitter and "
        "link.loss (0..0.05) the link between controllers and robots",
    )
    parser.add_argument(
        "--metric",
        action="append",
        default=[],
        metavar="NAME=PLACE",
        help="a number to record for each run: a field at its end, such as x=E_PUCK.translation[0], or "
        "max(PLACE), min(PLACE), mean(PLACE) over its steps, or travel(NODE)",
    )
    parser.add_argument(
        "--sampling", choices=METHODS, help="how to choose values (default: grid if possible)"
    )
    parser.add_argument("--runs", type=count_of, metavar="N", help="number of runs, unless they form a grid")
    parser.add_argument(
        "--sampling-seed", type=count_of, default=0, metavar="N", help="seed of the sampling (default: 0)"
    )
    parser.add_argument(
        "--duration",
        type=seconds_of,
        default=_DEFAULT_S,
        metavar="S",
        help="maximum simulated time of a run (default: %(default)g s)",
    )
    parser.add_argument("--seed", type=count_of, metavar="N", help="random seed of all runs")
    parser.add_argument(
        "--set",
        type=place_and_value,
        action="append",
        default=[],
        metavar="NODE.FIELD=VALUE",
        help="replace the value of a field in all runs",
    )
    parser.add_argument(
        "--controller",
        type=robot_and_controller,
        action="append",
        default=[],
        metavar="[ROBOT=]NAME",
        help="use another controller, as in `wbridge run`",
    )
    parser.add_argument(
        "--inline",
        action="store_true",
        help="run Python controllers in the simulators' processes, which is faster",
    )
    parser.add_argument(
        "--timeout",
        type=seconds_of,
        metavar="S",
        help="maximum real time of a run; one that takes longer has failed",
    )
    add_worker_arguments(parser)
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="file of results; a sweep that was interrupted continues with it (default: WORLD.sweep)",
    )
    parser.add_argument(
        "--csv", type=Path, metavar="FILE", help="write the table of results when all are there"
    )
    parser.add_argument(
        "--page",
        type=Path,
        metavar="FILE.html",
        help="write progress, extremes and plots of the metrics as a page, which the browser loads again "
        "while the sweep runs",
    )
    parser.add_argument("--json", action="store_true", help="print the summary as one JSON object")
    add_loading_arguments(parser)


def run(args: Namespace) -> int:
    """Carry out the runs without a result; the exit code is 1 if a run has failed."""
    plan = plan_of(args)
    out = args.out or args.world.with_suffix(".sweep")
    try:
        with Store(out) as store:
            store.claim(plan.identity())
            _carry_out(plan, store, args)
            if args.csv is not None:
                write_table(store, plan, args.csv)
            failed = report(store, plan, out, is_json=args.json)
    except StoreError as problem:
        raise RunError(str(problem)) from None
    return FAILED if failed else DONE


def plan_of(args: Namespace) -> Plan:
    """Return the plan of a sweep.

    Raises:
        InputError: the world or an argument is invalid.
    """
    world, _ = load_with_link(args.world, options(Loading, args), dict(args.set))
    base = Job(
        world=os.path.abspath(args.world),
        fields=dict(args.set),
        seed=args.seed,
        duration_s=args.duration,
        controllers=dict(args.controller),
        inline=args.inline,
        timeout_s=args.timeout,
        allow_missing=args.allow_missing,
        metrics=(),
    )
    return make_plan(world, base, args.vary, args.metric, args.sampling, args.runs, args.sampling_seed)


def _carry_out(plan: Plan, store: object, args: Namespace) -> None:
    assert isinstance(store, Store), "the file of results is open"
    done = len(store.done())
    if done:
        _LOG.info("%s: %d of %d runs are done", store.path, done, len(plan.values))
    page = Page(args.page, plan, store) if args.page is not None else None

    def note(count: int) -> None:
        rate.add(count)
        if page is not None:
            page.look()

    with (
        workers_of(args, args.timeout) as workers,
        Rate(len(plan.values), done, enabled=not (args.quiet or args.json)) as rate,
    ):
        try:
            carry_out(plan, store, workers, note)
        except KeyboardInterrupt:
            left = len(plan.values) - len(store.done())
            _LOG.info("interrupted with %d runs left; the same command continues", left)
            raise
        finally:
            if page is not None:
                page.write(is_final=True)
