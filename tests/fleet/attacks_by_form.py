"""Submissions that attack by their names, as archives, and by whom they belong to."""

from __future__ import annotations

from tests.fleet.attack import Attack

__all__ = ["NAMES", "PACKED"]

NAMES = (
    Attack(
        "\x1b]0;evil\x07escapes",
        "to control the teacher's terminal by its name and its errors",
        'raise ValueError("\\x1b[2J\\x1b]0;evil\\x07")',
        0,
        note="ValueError",
    ),
    Attack("=cmd|'C calc'!A0", "to be a formula in a spreadsheet", "pass"),
    Attack("<script>alert(1)<!--", "to be a program in a web page", "pass"),
    Attack("no \udcff\udcfe text", "to end the grading by a name that is no text in UTF-8", "pass"),
)
PACKED = (
    Attack("archive", "nothing: it is packed, as learning platforms do", "pass", is_packed=True),
    Attack(
        "archive that grows",
        "to fill the disk by an archive of zeros",
        "pass",
        0,
        note="the archive contains more than 24 MB",
        files={"zeros": "0" * 30_000_000},
        is_packed=True,
    ),
    Attack(
        "archive with paths",
        "to write outside when it is unpacked",
        "pass",
        files={"../escaped": "", "@HOME@/escaped": "", "../../home/escaped": ""},
        is_packed=True,
    ),
    Attack(
        "belongs to another",
        "to end the grading as a file that nobody can read",
        "pass",
        0,
        note="cannot be copied",
    ),
)
