"""Recorded answers to calls of the API, with which each implementation is compared.

A file in `answers/` holds calls with their results, what was printed on stderr, and the requests that were
sent, in base64. `python -m tests.c.record` writes the files.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.c.calling import Implementation, Outcome
from wbridge.hal.protocol.loopback import Loopback

FOLDER = Path(__file__).parent / "answers"
NOTE = "recorded by `python -m tests.c.record`; do not edit"
PLACE = "{folder}"
"""Stands for the folder of a test in recorded texts and requests."""
IS_RECORDING = "RECORD_ANSWERS" in os.environ
"""Whether answers are written instead of compared; tests/c/record.py sets it."""
Json = dict[str, Any]
World = Callable[[], Loopback]


def recorded_calls(name: str, make: Callable[[], list[list[Any]]]) -> list[list[Any]]:
    """The calls of a record, which stay when functions are added; new ones for a record to be written."""
    if IS_RECORDING and not _file(name).is_file():
        return make()
    return [call for call, *_ in _read(name)["calls"]]


def check(
    name: str,
    implementation: Implementation,
    calls: list[list[Any]],
    folder: Path,
    world: World,
    code: int = 0,
) -> Outcome:
    """Make calls and compare what becomes of them with a record.

    Args:
        name: of the record, without ".json".
        implementation: of the API.
        calls: each [function, kind of reference, *arguments].
        folder: the test's own, which is left out of the record.
        world: what answers the requests.
        code: the exit code that the program shall have.
    """
    outcome = implementation.call(calls, folder, world, code)
    compare(name, implementation, calls, outcome, folder)
    return outcome


def compare(
    name: str, implementation: Implementation, calls: list[list[Any]], outcome: Outcome, folder: Path
) -> None:
    """Compare what became of calls with a record."""
    answers = _neutral(calls, outcome, str(folder))
    if IS_RECORDING and implementation.is_recorded:
        FOLDER.mkdir(exist_ok=True)
        _file(name).write_text(_text(answers), encoding="utf-8")
    record = _read(name)
    assert len(answers["calls"]) == len(record["calls"])
    for ours, recorded in zip(answers["calls"], record["calls"], strict=True):
        assert json.dumps(ours) == json.dumps(recorded)  # as text, where NaN equals NaN
    assert answers["said"] == record["said"]
    assert answers["requests"] == record["requests"]


def _file(name: str) -> Path:
    return FOLDER / f"{name}.json"


def _read(name: str) -> Json:
    record: Json = json.loads(_file(name).read_text(encoding="utf-8"))
    return record


def _neutral(calls: list[list[Any]], outcome: Outcome, folder: str) -> Json:
    """The answers as they are recorded."""
    results = [result for _, result in outcome.results]
    # A call that ends the program has no result.
    pairs = [[call, *results[k : k + 1]] for k, call in enumerate(calls)]
    return {
        "calls": json.loads(json.dumps(pairs).replace(folder, PLACE)),
        "said": [line.replace(folder, PLACE) for line in outcome.said],
        "requests": [_request(packet, folder.encode()) for packet in outcome.requests],
    }


def _request(packet: bytes, folder: bytes) -> str:
    """A request in base64, whose size does not depend on the folder's name."""
    if folder in packet:
        packet = packet[4:].replace(folder, PLACE.encode())
        packet = (len(packet) + 4).to_bytes(4, "little") + packet
    return base64.b64encode(packet).decode()


def _text(answers: Json) -> str:
    """A record as JSON with one call, message or request per line."""
    parts = [f'"note": {json.dumps(NOTE)}']
    for key, rows in answers.items():
        lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
        parts.append(f'"{key}": [\n{lines}\n]')
    return "{\n" + ",\n".join(parts) + "\n}\n"
