"""Generate wbcore/scene/nodes.json: the built-in nodes of all releases, from the specification.

The specification (hal/catalogue/spec/nodes.json) covers two eras: 8.3.1 and the present. The hand-written
scripts/schema_overlay.json gives the release of each difference between them, and corrects omissions of the
specification. Every difference needs an entry there; this script lists those without.

    python scripts/generate_schema.py            write the file
    python scripts/generate_schema.py --check    exit 1 and show the difference when it is out of date
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts import schema_ranges  # noqa: E402
from scripts.generated import specification, write_or_compare  # noqa: E402

OUTPUT = ROOT / "wbcore" / "scene" / "nodes.json"
OVERLAY = Path(__file__).with_name("schema_overlay.json")
OLD, NEW = "8.3.1", ("recent", "recent-index")
MARK = "by scripts/generate_schema.py from the specification and scripts/schema_overlay.json; do not edit"

Json = dict[str, Any]


class Problems(list[str]):
    """Missing or superfluous entries of the overlay, all reported at once."""


def literal(field_type: str, text: str) -> Any:
    """Convert a default of the specification to a JSON value."""
    if field_type == "SFBool":
        return text == "TRUE"
    if field_type == "SFString":
        return json.loads(text)
    if field_type == "SFNode":
        return None
    numbers = [_number(n) for n in re.findall(r"[-+.\deE]+", text)]
    if field_type.startswith("MF"):
        width = {"Vec2f": 2, "Vec3f": 3, "Rotation": 4, "Color": 3}.get(field_type[2:])
        return [numbers[i : i + width] for i in range(0, len(numbers), width)] if width else numbers
    return numbers if len(numbers) > 1 else numbers[0]


def _number(text: str) -> float | int:
    value = float(text)
    return int(value) if value.is_integer() else value


def newest(versions: Json) -> Json | None:
    """Return the entry of the newest era that has one, with ranges and units completed from the other."""
    found = [versions[v] for v in NEW if v in versions]
    if not found:
        return None
    return {**(found[-1] if len(found) > 1 else {}), **found[0]}


def meaning(since: str, data: Json, mend: Json) -> list[Any]:
    """Return [since, type, default] and the range if any."""
    kind, text = data["type"], mend.get("default", data["default"])
    default = literal(kind, str(text))
    span = mend["range"] if "range" in mend else data.get("range", "")
    parsed = schema_ranges.parse(span, default) if span else None
    return [since, kind, default] + ([parsed] if parsed else [])


def meanings(label: str, field: Json, mend: Json, problems: Problems) -> list[list[Any]]:
    """Return the definitions of a field by first release, oldest first."""
    old, new = field["versions"].get(OLD), newest(field["versions"])
    if "meanings" in mend:
        model = new or old or {}
        return [meaning(m["since"], {**model, **m}, mend) for m in mend["meanings"]]
    if old and new:
        differ = (old["type"], literal(old["type"], old["default"])) != (
            new["type"],
            literal(new["type"], new["default"]),
        )
        if differ and "changed" not in mend:
            before, now = (f"{era['type']} {era['default']}" for era in (old, new))
            problems.append(f"{label}: {before} -> {now}, when?")
        if differ or "changed" in mend:
            return [meaning("", old, mend), meaning(mend.get("changed", "?"), new, mend)]
        return [meaning("", {**old, **new}, mend)]
    return [meaning("", new or old or {}, mend)]


def flags(label: str, node: Json, field: Json, mend: Json, problems: Problems) -> Json:
    """Return since, deprecated, removed and replaced_by, as applicable."""
    versions, out = field["versions"], {}
    added = "add" in mend or field["name"] == "name"
    came_later = OLD in node["versions"] and OLD not in versions and not added
    gone = newest(versions) is None and any(v in node["versions"] for v in NEW)
    if came_later and "since" not in mend:
        problems.append(f"{label}: not in {OLD}, since when?")
    if (gone or field.get("deprecated")) and not {"deprecated", "removed"} & mend.keys():
        problems.append(f"{label}: removed or deprecated, since when?")
    for key in ("since", "deprecated", "removed"):
        if mend.get(key):
            out[key] = mend[key]
    replaced_by = mend.get("replaced_by", field.get("replaced_by", ""))
    return {**out, "replaced_by": replaced_by} if replaced_by else out


def allowed(field: Json, mend: Json) -> list[str]:
    """Return the node types allowed in the field; empty if unspecified."""
    if "allowed" in mend:
        return list(mend["allowed"])
    data = newest(field["versions"]) or field["versions"].get(OLD, {})
    return schema_ranges.node_names(data.get("range", "")) or []


def convert_field(label: str, node: Json, field: Json, mend: Json, problems: Problems) -> Json:
    """Convert one field to the output format."""
    out: Json = {"is": meanings(label, field, mend, problems)}
    units = [v["unit"] for v in field["versions"].values() if v.get("unit")]
    unit = mend.get("unit", units[-1] if units else "")
    if unit:
        out["unit"] = unit
    if mend.get("hidden", field.get("hidden")):
        out["hidden"] = True
    out.update(flags(label, node, field, mend, problems))
    names = allowed(field, mend)
    return {**out, "allowed": names} if names else out


def bases(name: str, node: Json, mend: Json, problems: Problems) -> list[list[Any]]:
    """Return [since, base types], oldest first; empty if the node has no base."""
    if "base" in mend:
        return [list(entry) for entry in mend["base"] if entry[1] or len(mend["base"]) > 1]
    old = node["base"].get(OLD)
    new = next((node["base"][v] for v in NEW if v in node["base"]), None)
    if old is not None and new is not None and old != new and node["kind"] != "device":
        if "base_changed" not in mend:
            problems.append(f"{name}: derived from {old} -> {new}, when?")
        return [["", old], [mend.get("base_changed", "?"), new]]
    only = new if new is not None else old
    return [["", only]] if only else []


def statuses(name: str, node: Json, mend: Json, problems: Problems) -> list[list[str]]:
    """Return [since, status], oldest first."""
    if "status" in mend:
        return [list(entry) for entry in mend["status"]]
    if node["status"] in ("current", "experimental"):
        return [["", node["status"]]]
    problems.append(f"{name}: {node['status']}, since when?")
    return []


def convert_node(name: str, node: Json, overlay: Json, problems: Problems) -> Json:
    """Convert one node type to the output format."""
    mend = overlay["nodes"].pop(name, {})
    if OLD not in node["versions"] and not {"since", "add"} & mend.keys():
        problems.append(f"{name}: not in {OLD}, since when?")
    out: Json = {"kind": node["kind"], "status": statuses(name, node, mend, problems)}
    base = bases(name, node, mend, problems)
    extras = {
        "abstract": node["abstract"],
        "since": mend.get("since"),
        "replaced_by": mend.get("replaced_by", node.get("replaced_by")),
        "base": base,
    }
    out.update((key, value) for key, value in extras.items() if value)
    out["fields"] = {}
    for field in node["fields"] + added_fields(name, overlay):
        label = f"{name}.{field['name']}"
        field_mend = overlay["fields"].pop(label, {})
        out["fields"][field["name"]] = convert_field(label, node, field, field_mend, problems)
    return out


def added_fields(node_name: str, overlay: Json) -> list[Json]:
    """Return fields that exist only in the overlay, in the format of the specification."""
    return [
        {"name": label.partition(".")[2], "versions": {NEW[-1]: mend["add"]}}
        for label, mend in overlay["fields"].items()
        if "add" in mend and label.partition(".")[0] == node_name
    ]


def added_nodes(overlay: Json) -> Json:
    """Return nodes that exist only in the overlay, in the format of the specification."""
    return {
        name: {
            "kind": mend["add"]["kind"],
            "abstract": False,
            "versions": [NEW[-1]],
            "base": {NEW[-1]: mend["add"].get("base", [])},
            "status": "removed",
            "fields": [],
        }
        for name, mend in overlay["nodes"].items()
        if "add" in mend
    }


def releases(nodes: Json) -> list[str]:
    """Return all releases with changes, in order of publication."""
    found: set[str] = set()
    for node in nodes.values():
        found.update(entry[0] for entry in [*node.get("base", []), *node["status"]])
        for field in node["fields"].values():
            found.update(entry[0] for entry in field["is"])
            found.update(field.get(key, "") for key in ("deprecated", "removed"))
    return sorted(found - {""}, key=_order)


def _order(release: str) -> tuple[int, ...]:
    if release.startswith("R"):
        return int(release[1:5]), ord(release[5])
    return tuple(int(n) for n in release[1:].split("."))


def generate(spec: Json, overlay: Json) -> Json:
    """Return the content of nodes.json; exit with all problems if the overlay does not match."""
    problems = Problems()
    listed = {**spec["nodes"], **added_nodes(overlay)}
    nodes = {name: convert_node(name, node, overlay, problems) for name, node in sorted(listed.items())}
    problems += [f"{label}: in the overlay, but not in the specification" for label in overlay["nodes"]]
    problems += [f"{label}: in the overlay, but not in the specification" for label in overlay["fields"]]
    if problems:
        sys.exit("schema_overlay.json does not match the specification:\n  " + "\n  ".join(problems))
    return {"generated": MARK, "releases": releases(nodes), "nodes": nodes}


def text_of(content: Json) -> str:
    """Return JSON with one field per line, for readable diffs."""
    head = [f'"{key}": {_compact(content[key])},' for key in ("generated", "releases")]
    blocks = [_node_text(name, node) for name, node in content["nodes"].items()]
    return "\n".join(["{", *head, '"nodes": {', ",\n".join(blocks), "}}", ""])


def _node_text(name: str, node: Json) -> str:
    head = _compact({key: value for key, value in node.items() if key != "fields"})[:-1]
    fields = ",\n".join(f" {_compact(n)}:{_compact(f)}" for n, f in node["fields"].items())
    return f'{_compact(name)}:{head},"fields":{{' + (f"\n{fields}\n" if fields else "") + "}}"


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def load_inputs() -> tuple[Json, Json]:
    """Return the specification's nodes and the overlay."""
    spec = specification("nodes")
    return spec, json.loads(OVERLAY.read_text(encoding="utf-8"))


def main(arguments: list[str] | None = None) -> int:
    """Write or check the file; return the exit code."""
    return write_or_compare(
        "Make wbcore/scene/nodes.json from the specification.",
        lambda: {OUTPUT: text_of(generate(*load_inputs()))},
        arguments=arguments,
    )


if __name__ == "__main__":
    sys.exit(main())
