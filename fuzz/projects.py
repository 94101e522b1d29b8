"""Random projects: nested PROTO files with interfaces, IS and templates, and a world that uses them."""

from __future__ import annotations

from random import Random

from fuzz import hostile
from fuzz.grammar import FLOATS, SIZES, STRINGS
from fuzz.patterns import HEADER

KINDS = "Bool Int32 Float String Vec2f Vec3f Rotation Color Node".split()
NAMES = ["A", "B", "C", "Box2", "Ä", "a_b"]
KEYWORDS = ["field"] * 8 + "vrmlField unconnectedField hiddenField deprecatedField".split()
FIELDS = ["a", "b", "c", "translation", "name", "children", "size", "appearance", "hidden", "IS"]
HOSTILE_URLS = [
    "../../../../etc/passwd.proto", "/etc/passwd.proto", "/dev/zero.proto", "file:///etc/passwd.proto",
    ".proto", "", "https://[x/A.proto", "https://127.0.0.1:1/A.proto", "http://\x00/A.proto",
    "A.proto\x00", "x" * 300 + ".proto", "webots://projects/A.proto", "ftp://example.org/A.proto",
    "\\\\server\\A.proto", "C:\\A.proto", "~/A.proto", "..", "../protos/../protos/A.proto",
    "%2e%2e/A.proto", "https://example.org/A.proto?x=../B", "a\nb.proto", "://.proto",
    "../worlds/main.wbt", "./A.PROTO", "https://user:pw@/A.proto", "https://example.org:99999/A.proto",
    "///A.proto",
]  # fmt: skip


class ProjectGrammar:
    """Writes the files of one project."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.names = random.sample(NAMES, random.randrange(1, 4))
        self.interfaces = {name: self._fields() for name in self.names}
        self.language = random.choice(["lua", "javascript"])
        self.procedural = random.random() < 0.4

    def files(self) -> dict[str, str]:
        """All files by path."""
        files = {f"protos/{name}.proto": self._proto(name) for name in self.names}
        files["worlds/main.wbt"] = self._world()
        return files

    def _fields(self) -> dict[str, str]:
        count = self.random.randrange(5)
        return {name: self._kind() for name in self.random.sample(FIELDS, count)}

    def _kind(self) -> str:
        return self.random.choice("SM") + "F" + self.random.choice(KINDS)

    def _world(self) -> str:
        nodes = [self._instance(self.random.choice(self.names)) for _ in range(self.random.randrange(1, 5))]
        return HEADER + self._externs("../protos/") + "WorldInfo { }\n" + "\n".join(nodes) + "\n"

    def _externs(self, folder: str) -> str:
        lines = [f'EXTERNPROTO "{folder}{name}.proto"' for name in self.names if self.random.random() < 0.9]
        while self.random.random() < 0.2:
            lines.append(f'EXTERNPROTO "{self.random.choice(HOSTILE_URLS)}"')
        if self.random.random() < 0.1:
            lines = ["IMPORTABLE " + line for line in lines]
        return "\n".join(lines) + "\n"

    def _proto(self, name: str) -> str:
        keyword = self.random.choice(KEYWORDS)
        fields = "\n".join(
            f"  {keyword} {kind}{self._restriction(kind)} {field} {self._value(kind, 0)}"
            for field, kind in self.interfaces[name].items()
        )
        note = (
            "# template language: javascript\n" if self.language == "javascript" and self.procedural else ""
        )
        shown = name if self.random.random() < 0.95 else "Other"
        return f"{HEADER}{note}{self._externs('')}PROTO {shown} [\n{fields}\n]\n{{\n{self._body(name)}\n}}\n"

    def _restriction(self, kind: str) -> str:
        if self.random.random() < 0.9:
            return ""
        values = [self._value("SF" + kind[2:], 3) for _ in range(self.random.randrange(4))]
        return "{" + ", ".join(values) + "}"

    def _body(self, name: str) -> str:
        types = ["Solid", "Solid", "Robot", "Group", "Pose", "Transform", "Shape", "Box", *self.names]
        root = self.random.choice(types)
        inner = [f"{field} IS {self._parameter(name)}" for field in self.random.sample(FIELDS, 2)]
        inner.append(f"children [ {self._children(name)} ]")
        return (
            f"{self._statement()}{root} {{\n{chr(10).join(inner)}\n{self._statement()}}}{self._statement()}"
        )

    def _children(self, name: str) -> str:
        choices = [
            lambda: "Solid { translation IS " + self._parameter(name) + " }",
            lambda: "DEF X Shape { } USE X",
            lambda: self._instance(self.random.choice(self.names)),
            lambda: self._passing_on(name),
            lambda: self._statement(),
            lambda: self._expression(),
        ]
        return " ".join(self.random.choice(choices)() for _ in range(self.random.randrange(4)))

    def _passing_on(self, name: str) -> str:
        inner, field = self.random.choice(self.names), self.random.choice(FIELDS)
        return f"{inner} {{ {field} IS {self._parameter(name)} }}"

    def _parameter(self, name: str) -> str:
        known = list(self.interfaces[name])
        return self.random.choice(known) if known and self.random.random() < 0.95 else "nothing"

    def _statement(self) -> str:
        if not self.procedural or self.random.random() < 0.6:
            return ""
        if self.language == "lua":
            return f"%{{ {self.random.choice(hostile.LUA)} }}%\n"
        return f"%< {self.random.choice(hostile.JAVASCRIPT)} >%\n"

    def _expression(self) -> str:
        if not self.procedural:
            return ""
        if self.language == "lua":
            return f"%{{= {self.random.choice(hostile.LUA_VALUES)} }}%"
        return f"%<= {self.random.choice(hostile.JAVASCRIPT_VALUES)} >%"

    def _instance(self, name: str, depth: int = 0) -> str:
        given = [f for f in self.interfaces.get(name, {}) if self.random.random() < 0.5]
        fields = " ".join(
            f"{field} {self._value(self.interfaces[name][field], depth + 1)}" for field in given
        )
        hidden = "hidden translation_1 1 2 3 hidden position_0_0 1 " if self.random.random() < 0.1 else ""
        define = f"DEF {self.random.choice(NAMES)} " if self.random.random() < 0.2 else ""
        return f"{define}{name} {{ {fields} {hidden}}}"

    def _value(self, kind: str, depth: int) -> str:
        if kind.startswith("MF"):
            count = self.random.choice([0, 1, 1, 2, 4])
            return "[ " + " ".join(self._value("SF" + kind[2:], depth) for _ in range(count)) + " ]"
        kind = kind[2:]
        if kind == "Node":
            if depth > 3 or self.random.random() < 0.3:
                return self.random.choice(["NULL", "Box { }", "Solid { }", "Group { children [ Pose { } ] }"])
            return self._instance(self.random.choice(self.names), depth + 1)
        simple = {"Bool": ["TRUE", "FALSE"], "Int32": ["0", "7", "-1"], "Float": FLOATS}
        if kind in simple:
            return self.random.choice(simple[kind])
        if kind == "String":
            return f'"{self.random.choice(STRINGS)}"'
        return " ".join(self.random.choice(FLOATS) for _ in range(SIZES[kind]))


def nested_doubling(random: Random) -> dict[str, str]:
    """PROTOs that contain the next one several times: exponential when expanded."""
    depth, width = random.choice([(10, 2), (30, 2), (120, 1), (8, 10), (99, 2)])
    files = {}
    for level in range(depth):
        inner = f"P{level + 1} {{ }} " * width if level + 1 < depth else "Shape { }"
        extern = f'EXTERNPROTO "P{level + 1}.proto"\n'
        body = f"PROTO P{level} [ ] {{ Group {{ children [ {inner} ] }} }}\n"
        files[f"protos/P{level}.proto"] = HEADER + extern + body
    files["worlds/main.wbt"] = f'{HEADER}EXTERNPROTO "../protos/P0.proto"\nP0 {{ }}\n'
    return files


def doubling_parameters(random: Random) -> dict[str, str]:
    """A node parameter that every level uses twice."""
    depth = random.choice([5, 12, 25, 60])
    twice = "Group { children IS c } Group { children IS c }"
    body = f"PROTO D [ field MFNode c [ ] ] {{ Group {{ children [ {twice} ] }} }}\n"
    inner = "Shape { }"
    for _ in range(depth):
        inner = f"D {{ c [ {inner} ] }}"
    world = f'{HEADER}EXTERNPROTO "../protos/D.proto"\n{inner}\n'
    return {"protos/D.proto": HEADER + body, "worlds/main.wbt": world}


def doubling_defaults(random: Random) -> dict[str, str]:
    """Interfaces whose default values are the next PROTO, twice."""
    depth = random.choice([5, 12, 25, 60])
    files = {}
    for level in range(depth):
        inner = f"Q{level + 1} {{ }} Q{level + 1} {{ }}" if level + 1 < depth else "Shape { }"
        extern = f'EXTERNPROTO "Q{level + 1}.proto"\n'
        body = f"PROTO Q{level} [ field MFNode c [ {inner} ] ] {{ Group {{ children IS c }} }}\n"
        files[f"protos/Q{level}.proto"] = HEADER + extern + body
    files["worlds/main.wbt"] = f'{HEADER}EXTERNPROTO "../protos/Q0.proto"\nQ0 {{ }}\n'
    return files


def long_restriction(random: Random) -> dict[str, str]:
    """A very long word among the allowed values of a field."""
    size = random.choice([1000, 30_000, 300_000])
    kind = random.choice(["SFNode", "SFString", "SFFloat"])
    text = f"{HEADER}PROTO R [ field {kind}{{{'a' * size}}} x NULL ] {{ Group {{ }} }}\n"
    return {"protos/R.proto": text, "worlds/main.wbt": f'{HEADER}EXTERNPROTO "../protos/R.proto"\nR {{ }}\n'}


def deep_values(random: Random) -> dict[str, str]:
    """A deep tree as the argument of a template, and one generated by it."""
    depth = random.choice([50, 99, 101, 400, 3000])
    value = "Group { children [ " * depth + "] } " * depth
    proto = "PROTO T [ field SFNode a NULL ] { Group { children [ %{= fields.a.value.node_name }% { } ] } }\n"
    world = f'{HEADER}EXTERNPROTO "../protos/T.proto"\nT {{ a {value} }}\n'
    return {"protos/T.proto": HEADER + proto, "worlds/main.wbt": world}


SPECIAL = [nested_doubling, doubling_parameters, doubling_defaults, long_restriction, deep_values]
