"""Damages texts at the level of words (brackets, numbers, keywords), lines and bytes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

_WORDS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]|[^\s,\[\]{}"]+|\s+|.', re.DOTALL)
_NUMBER = re.compile(r"(?<![\w.])[-+]?\d[\d.eE+-]*")
_STRING = re.compile(r'"[^"\n]*"')

HOSTILE_WORDS = [
    *"{ } [ ] \" # , \\ ' %{ }% %< >%".split(),
    *"DEF USE IS NULL TRUE false PROTO EXTERNPROTO IMPORTABLE field hidden".split(),
    *"nan inf -inf 1e999 -1e-999 1e --1 0x 0xFF 99999999999999999999 - + . e5 ٣ \0 \ufeff \u2028".split(" "),
    "DEF DEF", "USE USE", "Group {", "children [", "Solid { }", "WorldInfo {", "boundingObject USE",
    "1 2 3 4 5", "DEF \u202e", "A" * 300,
]  # fmt: skip
EXTREME_NUMBERS = [*"1e308 -1e308 5e-324 1e999 2147483648 -2147483649 0 -0 1e-400 nan".split(), "9" * 400]
HOSTILE_STRINGS = [
    '""', '"\\"', '"' + "x" * 500 + '"', '"\\\\"', '"a\nb"', '"../../../../etc/passwd"', '"\0"', '"\ud7ff"',
]  # fmt: skip
INVALID_BYTES = [b"\0", b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xef\xbb\xbf"]

Mutation = Callable[[str, Random, Sequence[str]], str]


def _position(text: str, random: Random) -> int:
    return random.randrange(len(text) + 1)


def insert_word(text: str, random: Random, seeds: Sequence[str]) -> str:
    """Insert a hostile word."""
    at = _position(text, random)
    gap = random.choice(["", " ", "\n"])
    return text[:at] + gap + random.choice(HOSTILE_WORDS) + gap + text[at:]


def change_words(text: str, random: Random, seeds: Sequence[str]) -> str:
    """Delete, repeat, swap or replace a few words."""
    start = _position(text, random)
    window = text[start : start + 4000]
    words = _WORDS.findall(window)
    for _ in range(random.choice([1, 1, 2, 5])):
        if not words:
            break
        at, other = random.randrange(len(words)), random.randrange(len(words))
        how = random.randrange(4)
        if how == 0:
            del words[at]
        elif how == 1:
            words.insert(other, words[at])
        elif how == 2:
            words[at], words[other] = words[other], words[at]
        else:
            words[at] = random.choice(HOSTILE_WORDS)
    return text[:start] + "".join(words) + text[start + 4000 :]


def change_number(text: str, random: Random, seeds: Sequence[str]) -> str:
    """Replace a number with an extreme one."""
    return _replace_one(_NUMBER, EXTREME_NUMBERS, text, random)


def change_string(text: str, random: Random, seeds: Sequence[str]) -> str:
    """Replace a string with a hostile one."""
    return _replace_one(_STRING, HOSTILE_STRINGS, text, random)


def _replace_one(pattern: re.Pattern[str], values: list[str], text: str, random: Random) -> str:
    match = pattern.search(text, _position(text, random))
    if match is None:
        return text
    return text[: match.start()] + random.choice(values) + text[match.end() :]


def cut(text: str, random: Random, seeds: Sequence[str]) -> str:
    """Cut off the end."""
    return text[: _position(text, random)]


def delete_lines(text: str, random: Random, seeds: Sequence[str]) -> str:
    """Delete a few lines."""
    lines = text.split("\n")
    at = random.randrange(len(lines))
    return "\n".join(lines[:at] + lines[at + random.randrange(1, 6) :])


def repeat_lines(text: str, random: Random, seeds: Sequence[str]) -> str:
    """Repeat a few lines many times."""
    lines = text.split("\n")
    at = random.randrange(len(lines))
    block = lines[at : at + random.randrange(1, 4)]
    return "\n".join(lines[:at] + block * random.choice([2, 10, 200]) + lines[at:])


def splice(text: str, random: Random, seeds: Sequence[str]) -> str:
    """Join the beginning of one text with the end of another."""
    other = random.choice(seeds)
    return text[: _position(text, random)] + other[_position(other, random) :]


def line_ends(text: str, random: Random, seeds: Sequence[str]) -> str:
    """Change the line endings."""
    return text.replace("\n", random.choice(["\r\n", "\r", "\n\r", "\x0b", "\u2028", " "]))


def byte_order_mark(text: str, random: Random, seeds: Sequence[str]) -> str:
    """Insert a byte order mark at the beginning or elsewhere."""
    at = random.choice([0, 0, 1, _position(text, random)])
    return text[:at] + "\ufeff" + text[at:]


MUTATIONS: list[Mutation] = [
    insert_word, insert_word, change_words, change_words, change_words, change_number, change_string, cut,
    delete_lines, repeat_lines, splice, line_ends, byte_order_mark,
]  # fmt: skip


def damaged(text: str, random: Random, seeds: Sequence[str]) -> str:
    """Apply one or several mutations to a text."""
    for _ in range(random.choice([1, 1, 1, 2, 3, 8])):
        text = random.choice(MUTATIONS)(text, random, seeds)
    return text


def damaged_bytes(data: bytes, random: Random) -> bytes:
    """Change, delete and insert bytes: invalid UTF-8, NUL, truncated characters."""
    out = bytearray(data)
    for _ in range(random.choice([1, 2, 10, 100])):
        at = random.randrange(len(out) + 1)
        how = random.randrange(3)
        if how == 0 and at < len(out):
            out[at] = random.randrange(256)
        elif how == 1:
            del out[at : at + random.choice([1, 1, 7])]
        else:
            out[at:at] = random.choice(INVALID_BYTES)
    return bytes(out)
