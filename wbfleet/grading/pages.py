"""Pages of a grading: one for each student, and a table for the teacher. They need no server."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from urllib.parse import quote

from wbridge.wbcore.scene.diagnostics import printable
from wbridge.wbfleet.grading.places import Places
from wbridge.wbfleet.grading.points import Grade, Result
from wbridge.wbfleet.grading.rubric import Rubric
from wbridge.wbfleet.grading.similarity import Pair
from wbridge.wbfleet.grading.way_plot import way_plot
from wbridge.wbfleet.sweeps.evidence import read_output, read_way

STYLE = """body { font: 16px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .3em .6em; vertical-align: top }
tr { border-bottom: 1px solid #ccc } td.number, th.number { text-align: right }
pre { background: #f3f3f3; padding: .6em; white-space: pre-wrap } .text { white-space: pre-line }
svg { max-width: 24em; border: 1px solid #ccc }
@media (prefers-color-scheme: dark) { body { background: #1b1b1b; color: #eee } pre { background: #2a2a2a }
a { color: #8ab4f8 } }"""
_ERROR_LINES = 20
"""Last lines of the output that a student sees if the rubric allows errors only."""


def write_pages(places: Places, rubric: Rubric, grades: Sequence[Grade], pairs: Sequence[Pair]) -> None:
    """Write the page of each student, and the teacher's table.

    Args:
        places: where they go, and where the runs have left their evidence.
        rubric: with the texts.
        grades: of all submissions.
        pairs: hints at copied programs, for the teacher only.

    Raises:
        OSError: a file cannot be written.
    """
    for grade in grades:
        folder = places.student(grade.folder)
        folder.mkdir(parents=True, exist_ok=True)
        text = _document(grade.name, _student(places, rubric, grade))
        (folder / "index.html").write_text(text, encoding="utf-8")
    overview = _document("Grades", _overview(places, rubric, grades, pairs))
    places.overview.write_text(overview, encoding="utf-8")


def _document(title: str, parts: Iterable[str]) -> str:
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><style>{STYLE}</style>'
    body = "\n".join(parts)
    name = escape(title)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>{head}<title>{name}</title></head>\n'
        f"<body>\n<main>\n<h1>{name}</h1>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _student(places: Places, rubric: Rubric, grade: Grade) -> Iterable[str]:
    yield f"<p><strong>{grade.points:.4g} of {rubric.points:g} points</strong></p>"
    if rubric.text:
        yield f'<p class="text">{escape(rubric.text.strip())}</p>'
    for name, text in [("", ""), *rubric.steps]:
        results = [result for result in grade.results if result.criterion.step == name]
        if results:
            yield from _step(name, text, results)
    for seed in rubric.seeds:
        yield from _run(places, rubric, grade, seed)


def _step(name: str, text: str, results: Sequence[Result]) -> Iterable[str]:
    if name:
        yield f"<h2>{escape(name)}</h2>"
    if text:
        yield f'<p class="text">{escape(text.strip())}</p>'
    yield '<table><tr><th>criterion</th><th class="number">points</th><th>why points are missing</th></tr>'
    for number, result in enumerate(results, 1):
        criterion = result.criterion
        title = f"hidden test {number}" if criterion.hidden else criterion.name
        more = f"<br>{escape(criterion.text.strip())}" if criterion.text and not criterion.hidden else ""
        yield (
            f"<tr><td>{escape(title)}{more}</td>"
            f'<td class="number">{result.points:.4g} of {criterion.points:g}</td>'
            f"<td>{'<br>'.join(map(escape, result.shown))}</td></tr>"
        )
    yield "</table>"


def _run(places: Places, rubric: Rubric, grade: Grade, seed: int) -> Iterable[str]:
    """Yield what a run has left: replay, way and output."""
    replay = places.replay(grade.folder, seed, is_hidden=False)
    if not replay.is_file():
        return
    yield f"<h2>Run with seed {seed}</h2>"
    yield f'<p><a href="{quote(replay.name)}">Replay in 3D, with plots</a></p>'
    yield way_plot(read_way(places.run(grade.folder, seed)))
    if output := allowed_output(read_output(places.run(grade.folder, seed)), rubric.output, grade):
        yield f"<p>Output of the program:</p>\n<pre>{escape(output)}</pre>"


def allowed_output(output: str, allowed: str, grade: Grade) -> str:
    """Return the part of a program's output that its author may see.

    Args:
        output: of a run.
        allowed: a value of `OUTPUTS`.
        grade: errors are only shown where points are missing.
    """
    lines = ["".join(char if char.isprintable() else "?" for char in line) for line in output.splitlines()]
    if allowed == "all":
        return "\n".join(lines)
    is_failed = any("the program ended" in note for result in grade.results for note in result.shown)
    return "\n".join(lines[-_ERROR_LINES:]) if allowed == "errors" and is_failed else ""


def _overview(
    places: Places, rubric: Rubric, grades: Sequence[Grade], pairs: Sequence[Pair]
) -> Iterable[str]:
    yield "<p>For the teacher. Each student may get the own folder in <code>students</code>.</p>"
    heads = "".join(f'<th class="number">{escape(criterion.name)}</th>' for criterion in rubric.criteria)
    yield f'<table><tr><th>submission</th>{heads}<th class="number">points</th><th>notes</th></tr>'
    for grade in grades:
        page = places.student(grade.folder).relative_to(places.folder) / "index.html"
        cells = "".join(f'<td class="number">{result.points:.4g}</td>' for result in grade.results)
        yield (
            f'<tr><td><a href="{quote(str(page))}">{escape(grade.name)}</a></td>{cells}'
            f'<td class="number">{grade.points:.4g}</td>'
            f"<td>{escape(grade.notes)}{_hidden_links(places, rubric, grade)}</td></tr>"
        )
    yield "</table>"
    yield "<h2>Robots that move alike</h2>"
    if not pairs:
        yield "<p>None.</p>"
        return
    yield "<p>A hint, no proof: in a simple exercise, independent programs may move the robot alike.</p>"
    yield '<table><tr><th>first</th><th>second</th><th class="number">same place</th></tr>'
    for pair in pairs:
        yield (
            f"<tr><td>{escape(pair.first)}</td><td>{escape(pair.second)}</td>"
            f'<td class="number">{100 * pair.share:.0f} %</td></tr>'
        )
    yield "</table>"


def _hidden_links(places: Places, rubric: Rubric, grade: Grade) -> str:
    """Return links to the replays of hidden runs."""
    pages = {seed: places.replay(grade.folder, seed, is_hidden=True) for seed in rubric.hidden_seeds}
    links = [
        f'<a href="{quote(_relative(page, places.folder))}">hidden run {seed}</a>'
        for seed, page in pages.items()
        if page.is_file()
    ]
    return f"<br>{' '.join(links)}" if links else ""


def _relative(page: Path, folder: Path) -> str:
    return printable(page.relative_to(folder).as_posix())
