"""Texts that stress the parser: deep, long, unterminated, repetitive. Functions take an approximate size.

Every function is one pattern; `PATTERNS` lists them.
"""

from __future__ import annotations

from collections.abc import Callable

HEADER = "#VRML_SIM R2025a utf8\n"

Pattern = Callable[[int], str]


def deep_groups(size: int) -> str:
    """Nodes within nodes, properly closed."""
    depth = size // 22
    return HEADER + "Group { children [ " * depth + "] } " * depth


def deep_unclosed(size: int) -> str:
    """Nodes within nodes that never close."""
    return HEADER + "Group { children [ " * (size // 19)


def deep_brackets(size: int) -> str:
    """Opening brackets only, where a value is expected."""
    return HEADER + "WorldInfo { info " + "[" * size


def deep_braces(size: int) -> str:
    """Opening braces only."""
    return HEADER + "{" * size


def stray_closings(size: int) -> str:
    """An error in every second character."""
    return HEADER + "} ] " * (size // 4)


def unknown_nodes(size: int) -> str:
    """Misspelled nodes, each different."""
    return HEADER + "".join(f"Grpup{i} {{}}\n" for i in range(size // 14))


def unknown_fields(size: int) -> str:
    """Misspelled fields, each different."""
    return HEADER + "Solid {\n" + "".join(f"transltion{i} 0 0 1\n" for i in range(size // 22)) + "}\n"


def unknown_uses(size: int) -> str:
    """USE of unknown names next to many known ones."""
    half = size // 48
    known = "".join(f"DEF BOX_{i} Group {{}}\n" for i in range(half))
    return HEADER + known + "Group { children [\n" + "".join(f"USE BOX{i}_\n" for i in range(half)) + "] }\n"


def bad_values(size: int) -> str:
    """The same field with an invalid value, many times."""
    return HEADER + "Solid {\n" + "translation x y z\n" * (size // 18) + "}\n"


def repeated_fields(size: int) -> str:
    """The same field many times."""
    return HEADER + "Solid {\n" + "mass 1\n" * (size // 7) + "}\n"


def long_identifier(size: int) -> str:
    """A very long word where a node is expected."""
    return HEADER + "A" * size


def long_node_name(size: int) -> str:
    """A very long, misspelled node type."""
    return HEADER + "Group" + "p" * size + " {}\n"


def long_field_name(size: int) -> str:
    """A very long, misspelled field."""
    return HEADER + "Solid { translation" + "n" * size + " 0 0 0 }\n"


def long_header(size: int) -> str:
    """A very long first line."""
    return "#VRML_SIM " + "R" * size


def long_version(size: int) -> str:
    """A version number with very many digits."""
    return "#VRML_SIM V" + "9" * size + " utf8\nGroup {}\n"


def long_number(size: int) -> str:
    """A number with very many digits, as a float and as an integer."""
    digits = "9" * (size // 2)
    return HEADER + f"Solid {{ translation {digits} 0 0 }}\nEmitter {{ channel {digits} }}\n"


def long_fraction(size: int) -> str:
    """Very many digits after the decimal point."""
    return HEADER + "WorldInfo { gravity 0." + "0123456789" * (size // 10) + " }\n"


def long_blank(size: int) -> str:
    """Long white space between words."""
    gap = " ,\t\n" * (size // 32)
    return HEADER + gap.join(["DEF", "A", "Solid", "{", "translation", "1", "2", "3", "}"])


def long_comment(size: int) -> str:
    """A very long comment line in a node."""
    return HEADER + "Group { #" + "x" * size + "\n}\n"


def many_comments(size: int) -> str:
    """Empty comments before and in a number list."""
    return HEADER + "#\n" * (size // 4) + "Coordinate { point [ " + "0 #\n" * (size // 8) + "] }\n"


def comment_at_end(size: int) -> str:
    """Comments without a final line ending."""
    return HEADER + "Group {} " + "# " * (size // 2)


def unterminated_string(size: int) -> str:
    """A string that never ends, full of backslashes."""
    return HEADER + 'WorldInfo { title "' + 'a\\"' * (size // 3)


def many_unterminated(size: int) -> str:
    """An extra quote on every line."""
    return HEADER + 'WorldInfo { title "x"" }\n' * (size // 25)


def long_string(size: int) -> str:
    """A very long string with every kind of escape."""
    return HEADER + 'WorldInfo { title "' + '\\\\ \\" \\n' * (size // 9) + '" }\n'


def number_list_with_end(size: int) -> str:
    """A long list of numbers with an invalid last word, which defeats the fast path."""
    return HEADER + "Coordinate { point [ " + "0 1 2, " * (size // 7) + "x ] }\n"


def odd_vectors(size: int) -> str:
    """A list of vectors whose length is not a multiple of three."""
    return HEADER + "Coordinate { point [ " + "0 1 2 " * (size // 6) + "7 ] }\n"


def many_lists(size: int) -> str:
    """Unclosed lists; a naive parser would search each to the end of the file."""
    return HEADER + "Coordinate { point [ 0 1 \n" * (size // 26)


def dashes(size: int) -> str:
    """Number characters that form no number."""
    return HEADER + "Solid { translation " + "-+.eE" * (size // 5) + " 0 0 }\n"


def exponents(size: int) -> str:
    """Numbers far out of range."""
    return HEADER + "WorldInfo { gravity 1e" + "9" * size + " }\n"


def doubling_uses(size: int) -> str:
    """Every definition uses the previous one twice: exponential when expanded."""
    lines = [HEADER, "DEF N0 Group {}\n"]
    for i in range(1, size // 50):
        lines.append(f"DEF N{i} Group {{ children [ USE N{i - 1} USE N{i - 1} ] }}\n")
    return "".join(lines)


def nested_definitions(size: int) -> str:
    """Nested definitions, each of which is then used."""
    count = min(4000, size // 45)
    tower = "".join(f"DEF N{i} Group {{ children [ " for i in range(count)) + "] } " * count
    return HEADER + tower + "".join(f"USE N{i}\n" for i in range(count))


def deep_uses(size: int) -> str:
    """Very many uses at the bottom of nested nodes."""
    depth = min(4000, size // 44)
    tower = "Group { children [ " * depth
    return HEADER + "DEF A Group {}\n" + tower + "USE A " * (size // 12) + "] } " * depth


def redefinitions(size: int) -> str:
    """A name defined many times and used in between."""
    return HEADER + "DEF A Group {} USE A\n" * (size // 21)


def self_use(size: int) -> str:
    """Nodes that use themselves."""
    return HEADER + "DEF A Group { children [ USE A ] }\n" * (size // 35)


def null_list(size: int) -> str:
    """NULL instead of nodes."""
    return HEADER + "Group { children [ " + "NULL " * (size // 5) + "] }\n"


def hidden_fields(size: int) -> str:
    """State fields that match no node."""
    lines = (f"hidden linearVelocity_{i} {i} 0 0\n" for i in range(size // 30))
    return HEADER + "Solid {\n" + "".join(lines) + "}\n"


def is_outside(size: int) -> str:
    """IS outside a PROTO."""
    return HEADER + "Solid { translation IS translation }\n" * (size // 37)


def externs(size: int) -> str:
    """Very many EXTERNPROTO declarations, all missing and all used."""
    count = size // 45
    declared = "".join(f'EXTERNPROTO "https://example.org/M{i}.proto"\n' for i in range(count))
    return HEADER + declared + "".join(f"M{i} {{ }}\n" for i in range(count))


def missing_models(size: int) -> str:
    """Missing models with fields of all types."""
    return HEADER + 'Nowhere { a 1 b 1 2 3 c "x" d [ Solid { } ] e Nothing { f [ 1 2 ] } }\n' * (size // 72)


def carriage_returns(size: int) -> str:
    """Mixed old line endings."""
    return "#VRML_SIM V5.0 utf8\r" + "Group {\r}\r\n" * (size // 11)


def nul_bytes(size: int) -> str:
    """NUL characters everywhere."""
    return HEADER + "Group\0{\0}\0" * (size // 9)


def surrogate_like(size: int) -> str:
    """Non-ASCII text with Unicode separators."""
    line = 'DEF Ä\u2028\u00a0\u3000𝔸 Group { } WorldInfo { title "\u202e\ufeff\u0085\x1c" }\n'
    return HEADER + line * (size // 60)


def unicode_digits(size: int) -> str:
    """Digits of other scripts."""
    return HEADER + "Solid { translation ٣ ३ 𝟛 }\n" * (size // 30)


PATTERNS: list[Pattern] = [
    value for _, value in sorted(globals().items()) if getattr(value, "__module__", "") == __name__
]
