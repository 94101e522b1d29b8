"""Grades as a table (CSV), and as JUnit XML for the tools of continuous integration."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import TextIO
from xml.etree import ElementTree

from wbridge.wbfleet.grading.points import Grade, Result
from wbridge.wbfleet.grading.rubric import Rubric


def write_csv(grades: Sequence[Grade], rubric: Rubric, file: TextIO) -> None:
    """Write one row for each submission: name, points of each criterion, sum, and why points are missing."""
    writer = csv.writer(file)
    names = [criterion.name for criterion in rubric.criteria]
    writer.writerow(["submission", *names, "points", "maximum", "notes"])
    for grade in grades:
        points = [f"{result.points:g}" for result in grade.results]
        writer.writerow(
            [
                _harmless(grade.name),
                *points,
                f"{grade.points:g}",
                f"{rubric.points:g}",
                _harmless(grade.notes),
            ]
        )


def write_lms(grades: Sequence[Grade], rubric: Rubric, file: TextIO) -> None:
    """Write a table that learning platforms import: name, points, maximum, percent, and feedback.

    The feedback is what the student may see; it has no details of hidden criteria and runs.
    """
    writer = csv.writer(file)
    writer.writerow(["username", "grade", "maximum", "percent", "feedback"])
    for grade in grades:
        percent = 100 * grade.points / rubric.points
        numbers = [f"{grade.points:.6g}", f"{rubric.points:g}", f"{percent:.1f}"]
        writer.writerow([_harmless(grade.name), *numbers, _harmless(grade.shown)])


def _harmless(text: str) -> str:
    """Return a text that spreadsheets do not take for a formula."""
    return f"'{text}" if text.lstrip().startswith(("=", "+", "-", "@")) else text


def junit(grades: Sequence[Grade]) -> str:
    """Return JUnit XML: a suite for each submission, a test for each criterion; it fails if points are
    missing."""
    root = ElementTree.Element("testsuites")
    for grade in grades:
        failures = [result for result in grade.results if result.points < result.criterion.points]
        attributes = {"name": grade.name, "tests": str(len(grade.results)), "failures": str(len(failures))}
        suite = ElementTree.SubElement(root, "testsuite", attributes)
        for result in grade.results:
            _add_test(suite, grade.name, result)
    ElementTree.indent(root)
    return ElementTree.tostring(root, "unicode", xml_declaration=True) + "\n"


def _add_test(suite: ElementTree.Element, name: str, result: Result) -> None:
    test = ElementTree.SubElement(suite, "testcase", {"classname": name, "name": result.criterion.name})
    if result.points < result.criterion.points:
        message = f"{result.points:g} of {result.criterion.points:g} points"
        ElementTree.SubElement(test, "failure", {"message": message}).text = _printable(
            "\n".join(result.notes)
        )


def _printable(text: str) -> str:
    """Return a text without the characters that XML forbids."""
    return "".join(character if character.isprintable() or character == "\n" else "?" for character in text)
