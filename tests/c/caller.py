"""Makes the calls of the C API that a file lists, one JSON list per line, and prints what each returns."""

import json
import sys
from pathlib import Path

from wbridge.hal import api

REFERENCES = {"node": [], "field": [], "proto": [], "image": [], "motion": []}


def argument(value):
    """A number or text as it stands; {"node": 0} is the first node that was returned."""
    if isinstance(value, dict):
        ((kind, index),) = value.items()
        return REFERENCES[kind][index]
    return value


def shown(value, kind):
    """A result as JSON."""
    if kind:
        REFERENCES[kind].append(value)
        return None if value is None else kind
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, (bytes, memoryview)):
        return list(value)
    return None if value == [] else value  # C has no empty arrays


for line in Path(sys.argv[1]).read_text().splitlines():
    name, kind, *given = json.loads(line)
    try:
        result = getattr(api, name)(*map(argument, given))
    except Exception as error:
        raise SystemExit(f"{line}: {type(error).__name__}: {error}") from error
    print(json.dumps([name, shown(result, kind)]), flush=True)
api.wb_robot_cleanup()
