"""Random valid worlds: node types, fields and values of the schema, in many styles."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from wbridge.wbcore.scene.schema import FieldSpec, NodeSpec, schema
from wbridge.wbcore.scene.version import Version

HEADERS = "V5.0 V6.0 V7.4.3 V8.3.1 V8.6 R2018a R2019b R2021b R2022b R2023b R2025a".split()
FLOATS = [
    "0", "1", "-1", "0.5", "-0", "+1", ".5", "5.", "1e3", "1E-3", "-1.5e+10", "3.14159265358979", "1e-320",
    "1.7976931348623157e308", "5e-324", "00.10", "123456789012345678901234567890", "0.1000000000000000055511",
]  # fmt: skip
STRINGS = [
    "", "a", "\\\\", '\\"', 'say \\"hello\\"', "C:\\\\path\\\\file", "two\nlines", "tab\there", "# text",
    "Ünïcödé 機器人 🤖", "} ] {", "%{ x }%", "%< x >%", "IS", "'", "\u2028", "\x7f", "  ", ",", "\\n",
]  # fmt: skip
NAMES = ["A", "BOX", "wheel_1", "Ä", "機", "A.B", "a-b", "x1y", "_", "A:B"]
MAX_DEPTH = 6
SIZES = {"Vec2f": 2, "Vec3f": 3, "Rotation": 4, "Color": 3}


class WorldGrammar:
    """Writes one world."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.release = random.choice(HEADERS)
        self.schema = schema(Version.parse(self.release))
        self.types = [name for name in self.schema.names() if not self._spec(name).abstract]
        self.defined: list[str] = []
        self.comma = random.choice([" ", " ", ", ", "\n", ",\n", " # note\n"])
        self.space = random.choice([" ", " ", "\t", "\n"])

    def world(self, nodes: int) -> str:
        """A file with this number of top-level nodes."""
        body = "\n".join(self.node(0) for _ in range(nodes))
        return f"#VRML_SIM {self.release} utf8\n{body}\n"

    def node(self, depth: int, types: list[str] | None = None) -> str:
        """A node, perhaps with DEF, or a USE of an earlier one."""
        random = self.random
        if self.defined and random.random() < 0.1:
            return f"USE {random.choice(self.defined)}"
        spec = self._spec(random.choice(types or self.types))
        fields = list(spec.fields.values())
        chosen = random.sample(fields, min(len(fields), random.choice([0, 1, 2, 3, 8])))
        inner = self.space.join(f"{field.name} {self.value(field, depth)}" for field in chosen)
        name = ""
        if random.random() < 0.2:
            name = f"DEF {random.choice(NAMES)}{random.randrange(9)} "
        text = f"{name}{spec.name} {{{self.space}{inner}{self.space}}}"
        if name:
            self.defined.append(name.split()[1])
        return text

    def value(self, field: FieldSpec, depth: int) -> str:
        """A value of the field's type."""
        kind = field.type[2:]
        if kind == "Node":
            return self._nodes(field, depth)
        make = getattr(self, f"_{kind.lower()}", None) or (lambda: self._vector(SIZES[kind]))
        if not field.is_list:
            return str(make())
        return self._list([make() for _ in range(self.random.choice([0, 1, 1, 2, 5]))])

    def _spec(self, name: str) -> NodeSpec:
        spec = self.schema.node(name)
        assert spec is not None
        return spec

    def _list(self, items: list[str]) -> str:
        if len(items) == 1 and self.random.random() < 0.5:
            return items[0]
        return f"[{self.space}{self.comma.join(items)}{self.space}]"

    def _nodes(self, field: FieldSpec, depth: int) -> str:
        if depth >= MAX_DEPTH:
            return "[ ]" if field.is_list else "NULL"
        types = [name for name in self.types if any(self._spec(name).is_a(one) for one in field.allowed)]
        if not field.is_list:
            return self.node(depth + 1, types) if self.random.random() < 0.9 else "NULL"
        return self._list([self.node(depth + 1, types) for _ in range(self.random.choice([0, 1, 1, 2, 3]))])

    def _bool(self) -> str:
        return self.random.choice(["TRUE", "FALSE"])

    def _int32(self) -> str:
        return self.random.choice(["0", "-1", "7", "2147483647", "-2147483648", "+5", "0x1F"])

    def _float(self) -> str:
        return self.random.choice(FLOATS)

    def _string(self) -> str:
        return f'"{self.random.choice(STRINGS)}"'

    def _vector(self, width: int) -> str:
        return " ".join(self._float() for _ in range(width))


Maker = Callable[[Random], str]


def world(random: Random) -> str:
    """A valid world of a few nodes."""
    return WorldGrammar(random).world(random.choice([1, 2, 5, 12]))
