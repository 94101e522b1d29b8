"""Format numbers for messages."""

from __future__ import annotations


def counted(number: int, singular: str, several: str = "") -> str:
    """Return a number with its noun: "1 robot", "2 robots"; `several` is the plural if it is irregular."""
    return f"{number} {singular}" if number == 1 else f"{number} {several or singular + 's'}"


def amount(value: float) -> str:
    """Return a number like "0.048", "1,800", "18,000.25"; never with an exponent for thousands."""
    return f"{value:,.2f}".rstrip("0").rstrip(".") if abs(value) >= 1000 else f"{value:g}"


def rounded(value: float) -> str:
    """Return a number with three digits, or in whole thousands: "0.0123", "12.3", "12,345"."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def duration(seconds: float) -> str:
    """Return a time for people: "42 s", "3 min", "1.6 h"."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"
