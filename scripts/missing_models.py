"""Count the models that the public worlds of the corpus name and nobody has: neither wbridge nor the project.

    python -m scripts.missing_models [--list FILE] [--folder FOLDER] [--most N]

Prints how many worlds miss no model, then a table of the missing ones: in how many projects and worlds each
is missing, and in how many worlds it is the only one. `make corpus` fetches the worlds.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from scripts.corpus import LIST, Corpus, corpus_folder, read_list
from wbridge.wbcore.scene.load import LoadOptions, load_world


@dataclass
class Missing:
    """Where one model is missing: projects, the number of worlds, and of worlds that miss nothing else."""

    projects: set[str] = field(default_factory=set)
    worlds: int = 0
    alone: int = 0


@dataclass
class Count:
    """Numbers of worlds, of those that miss no model, and of those not fetched; missing models by name."""

    worlds: int = 0
    complete: int = 0
    absent: int = 0
    missing: defaultdict[str, Missing] = field(default_factory=lambda: defaultdict(Missing))

    def rows(self) -> Iterator[tuple[int, int, int, str]]:
        """Projects, worlds, worlds that miss nothing else, and name of each model; the most missed first."""
        found = [(len(one.projects), one.worlds, one.alone, name) for name, one in self.missing.items()]
        yield from sorted(found, key=lambda row: (-row[0], -row[1], row[3]))


def count(corpus: Corpus, folder: Path) -> Count:
    """Load every world of a list from the corpus in `folder`, and count the models that are missing."""
    result = Count()
    with tempfile.TemporaryDirectory() as empty:
        options = LoadOptions(allow_missing=True, cache=Path(empty))
        for project in corpus.projects:
            for world in project.worlds:
                path = folder / project.folder / world.path
                if not path.is_file():
                    result.absent += 1
                    continue
                names = load_world(path, options).library.missing
                result.worlds += 1
                result.complete += not names
                for name in names:
                    one = result.missing[name]
                    one.projects.add(project.repository)
                    one.worlds += 1
                    one.alone += len(names) == 1
    return result


def report(result: Count, most: int) -> str:
    """The text that the command prints."""
    lines = [f"{result.complete} of {result.worlds} worlds miss no model"]
    if result.absent:
        lines.append(
            f"{result.absent} more worlds were not fetched; fetch them with: python -m scripts.corpus"
        )
    rows = list(result.rows())
    if rows:
        lines.append("projects  worlds  alone  model")
    lines += [f"{projects:8}{worlds:8}{alone:7}  {name}" for projects, worlds, alone, name in rows[:most]]
    if len(rows) > most:
        lines.append(f"and {len(rows) - most} more; list them with: --most {len(rows)}")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Print the count; the exit code is 1 if no world of the list was fetched."""
    parser = argparse.ArgumentParser(description="count the models that public worlds name and nobody has")
    parser.add_argument("--list", type=Path, default=LIST, help="default: %(default)s")
    parser.add_argument("--folder", type=Path, help="default: WBRIDGE_CORPUS or the user's cache")
    parser.add_argument("--most", type=int, default=40, metavar="N", help="rows of the table; default: 40")
    options = parser.parse_args(arguments)
    result = count(read_list(options.list), options.folder or corpus_folder())
    print(report(result, options.most))
    return 0 if result.worlds else 1


if __name__ == "__main__":
    sys.exit(main())
