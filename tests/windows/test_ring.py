"""Bounded lists between threads."""

from __future__ import annotations

from wbridge.robot_windows.ring import Ring


def test_each_reader_goes_at_its_own_pace():
    ring: Ring[str] = Ring(10, 1000)
    ring.put("a", 1)
    first = ring.read(0)
    ring.put("b", 1)
    assert first.items == ["a"]
    assert ring.read(first.cursor).items == ["b"]
    assert ring.read(0).items == ["a", "b"]
    assert ring.read(ring.end).items == []


def test_the_oldest_go_and_readers_are_told():
    ring: Ring[int] = Ring(3, 1000)
    for i in range(10):
        ring.put(i, 1)
    found = ring.read(2)
    assert (found.items, found.lost) == ([7, 8, 9], 5)
    assert ring.start == 7


def test_bytes_are_limited_but_the_newest_entry_stays():
    ring: Ring[str] = Ring(100, 50)
    for text in ("small", "small", "large"):
        ring.put(text, 60 if text == "large" else 20)
    assert ring.read(0).items == ["large"]
