#!/usr/bin/env python3
"""Take the fields of downloaded PROTOs of Webots into tests/protos/fields_of_releases.json.

    python -m scripts.model_fields FOLDER

FOLDER holds the texts of PROTO files, or only their headers and interfaces, as X.proto in any subfolder; the
first line of each file names its release. Only bundled models are taken, and of each field only type and
default: the texts are Webots' own and do not belong in the project. Defaults that name files are left out.
Facts of other models and releases stay as they are.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FACTS = ROOT / "tests" / "protos" / "fields_of_releases.json"
RELEASE = re.compile(r"#\s*VRML_SIM (R\d{4}\w)")
INTERFACE = re.compile(r"^PROTO\s+\S+\s*\[(.*?)^\]", re.M | re.S)
FIELD = re.compile(r"^\s*(?:\w+F|f)ield\s+(\w+)(?:\{.*?\})?\s+(\w+)\s+(.*?)\s*$", re.M)
COMMENT = re.compile(r'#(?=[^"\n]*(?:"[^"\n]*"[^"\n]*)*$).*$', re.M)

Fields = dict[str, list[str]]
Facts = dict[str, dict[str, Fields]]


def fields_of(text: str) -> Fields:
    """Return type and default of each field of a PROTO's text, by name.

    The default is "" for lists of strings, nodes and texts that name files: their values are not compared.
    """
    interface = INTERFACE.search(text)
    if interface is None:
        return {}
    found = FIELD.findall(COMMENT.sub("", interface[1]))
    return {name: [kind, default if _is_compared(kind, default) else ""] for kind, name, default in found}


def _is_compared(kind: str, default: str) -> bool:
    return kind != "MFString" and not kind.endswith("Node") and "/" not in default


def merged(facts: Facts, folder: Path, bundled: set[str]) -> Facts:
    """Return the facts with those of the bundled models in a folder."""
    result = {model: dict(releases) for model, releases in facts.items()}
    for path in sorted(folder.rglob("*.proto")):
        text = path.read_text()
        release = RELEASE.match(text)
        if path.stem in bundled and release is not None:
            result.setdefault(path.stem, {})[release[1]] = fields_of(text)
    return {model: dict(sorted(result[model].items())) for model in sorted(result)}


def main() -> int:
    """Write the facts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder with the PROTO files")
    bundled = {path.stem for path in (ROOT / "protos").rglob("*.proto")}
    known = json.loads(FACTS.read_text()) if FACTS.exists() else {}
    facts = merged(known, parser.parse_args().folder, bundled)
    lines = [f' "{model}": {json.dumps(releases, sort_keys=False)}' for model, releases in facts.items()]
    FACTS.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
