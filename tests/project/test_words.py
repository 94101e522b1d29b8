"""Words that have no place in the repository: work left open, and paths of one machine."""

import re

import pytest

from tests.project.files import CHECKOUT, tracked

# Put together here so that this file does not find itself.
OPEN_WORK = "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"])
MACHINE_FOLDERS = "|".join(["work", "root", "tmp", "home/[a-z]+", "Users/[A-Za-z]+"])
FORBIDDEN = re.compile(rf"\b(?:{OPEN_WORK})\b|(?<![\w.~$}}*)-])/(?:{MACHINE_FOLDERS})/[\w.]")


def test_no_file_holds_forbidden_words():
    texts = ((file, (CHECKOUT / file).read_bytes()) for file in tracked())
    found = [
        f"{file}:{number}: {line.strip()[:100]}"
        for file, data in texts
        if b"\0" not in data  # the bytes of a picture are no words
        for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1)
        if FORBIDDEN.search(line)
    ]
    assert found == []


@pytest.mark.parametrize(
    "text", ["# TO" + "DO later", "see /wor" + "k/main/x.py", '"/hom' + 'e/ann/worlds"', "XX" + "X"]
)
def test_the_rule_finds_forbidden_words(text: str):
    assert FORBIDDEN.search(text)


@pytest.mark.parametrize("text", ["mastodon", "../work/x", "frame/root/child", "file:line", "a/tmp/b"])
def test_the_rule_leaves_other_words_alone(text: str):
    assert not FORBIDDEN.search(text)
