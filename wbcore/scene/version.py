"""Webots releases, for which files are written, as ordered values."""

from __future__ import annotations

import re
from typing import NamedTuple

_HEADER = re.compile(
    r"^(?:R([0-9]{4})([a-z])|V?([0-9]{1,3})(?:\.([0-9]{1,3}))?(?:\.([0-9]{1,3}))?)(?![0-9])",
    re.IGNORECASE | re.ASCII,
)


class Version(NamedTuple):
    """A Webots release; compares in order of publication.

    Numbered releases ("V8.3.1") have their number as `major`; yearly ones ("R2023b") have the year, and the
    letter counted from 1 in `minor`. As every year is greater than every number, the tuple order is the
    order of publication.
    """

    major: int
    minor: int = 0
    patch: int = 0

    @classmethod
    def parse(cls, text: str) -> Version:
        """Parse "V5", "V8.3.1", "8.3", "R2023b" (a trailing revision is ignored).

        Raises:
            ValueError: the text has another form.
        """
        match = _HEADER.match(text.strip())
        if match is None:
            raise ValueError(f"'{text}' is no Webots release; expected for example V8.3.1 or R2023b")
        year, letter, major, minor, patch = match.groups()
        if year is not None:
            return cls(int(year), ord(letter.lower()) - ord("a") + 1)
        return cls(int(major), int(minor or 0), int(patch or 0))

    @property
    def is_yearly(self) -> bool:
        """True for R2018a and later."""
        return self.major >= 2000

    def __str__(self) -> str:
        if self.is_yearly:
            return f"R{self.major}{chr(ord('a') + self.minor - 1)}"
        if self.patch:
            return f"V{self.major}.{self.minor}.{self.patch}"
        return f"V{self.major}.{self.minor}"


NEWEST = Version.parse("R2025a")
