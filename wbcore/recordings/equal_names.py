"""Numbers for holders of equal names, which stay the same while holders come and go."""

from __future__ import annotations

from collections.abc import Hashable, Mapping


class EqualNames:
    """Numbers the holders of each name 1, 2 ... A new holder gets the lowest number that nobody has, so it
    continues what a former holder of the name has begun."""

    def __init__(self) -> None:
        self._held: dict[Hashable, tuple[str, int]] = {}

    def renew(self, names: Mapping[Hashable, str]) -> None:
        """Set all present holders with their names; those known keep the name and the number they have."""
        self._held = {holder: known for holder, known in self._held.items() if holder in names}
        taken, lowest = set(self._held.values()), dict.fromkeys(names.values(), 1)
        for holder, name in names.items():
            if holder not in self._held:
                while (name, lowest[name]) in taken:
                    lowest[name] += 1
                self._held[holder] = name, lowest[name]
                taken.add(self._held[holder])

    def __getitem__(self, holder: Hashable) -> tuple[str, int]:
        """Return the name of a holder and its number."""
        return self._held[holder]
