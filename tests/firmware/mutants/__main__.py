"""Seeds faults into the rover's firmware and tells what finds them; `make test-mutants` runs it.

usage: python -m tests.firmware.mutants [--count N] [--seed N] [--board NAME] [--steps N] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from itertools import islice
from pathlib import Path

from tests.firmware.mutants.choice import chosen
from tests.firmware.mutants.explained import explained
from tests.firmware.mutants.judge import EQUIVALENT, SURVIVED, Bed, Verdict
from tests.firmware.mutants.operators import Mutant
from wbridge.wbfirmware.boards.drivers import drivers

SEED, COUNT, STEPS = 14, 50, 150


def results(bed: Bed, seed: int, count: int, first: int = 0) -> list[tuple[Mutant, Verdict]]:
    """Faults with what became of them. Those of which the compiler makes nothing are not counted."""
    found: list[tuple[Mutant, Verdict]] = []
    faults = islice(chosen(seed, bed.sources, set(drivers())), first, None)
    for mutant in faults:
        if sum(verdict.kind != EQUIVALENT for _, verdict in found) == count:
            break
        verdict = bed.judge(mutant)
        if verdict.kind == SURVIVED:
            verdict = explained(mutant) or verdict
        found.append((mutant, verdict))
        print(f"{len(found):3} {verdict.kind:11} {mutant.label}\n{'':16}{verdict.why}", flush=True)
    return found


def main() -> int:
    """Try faults; 1 where one is left that nothing finds and nobody has explained."""
    parser = argparse.ArgumentParser(description="Seed faults into firmware and see what finds them.")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT, help="faults that change the program")
    parser.add_argument("--first", type=int, default=0, help="skip so many")
    parser.add_argument("--board", default="arduino-uno")
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--json", type=Path, metavar="FILE")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wbridge-mutants-") as folder:
        bed = Bed(Path(folder), args.board, args.steps)
        problem = bed.agrees()
        if problem:
            print(f"{args.board}: without any fault: {problem}")
            return 2
        print(f"{args.count} faults on {args.board}, seed {args.seed}, {args.steps} steps", flush=True)
        found = results(bed, args.seed, args.count, args.first)
    counts = Counter(verdict.kind for _, verdict in found)
    print(
        f"{args.board}, seed {args.seed}: " + ", ".join(f"{n} {kind}" for kind, n in sorted(counts.items()))
    )
    if args.json is not None:
        rows = [
            {**mutant._asdict(), "verdict": verdict.kind, "why": verdict.why} for mutant, verdict in found
        ]
        args.json.write_text(json.dumps(rows, indent=1) + "\n")
    return 1 if counts[SURVIVED] else 0


if __name__ == "__main__":
    sys.exit(main())
