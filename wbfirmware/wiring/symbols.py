"""Symbols of parts: SVG content in a square of 24 by 24."""

from __future__ import annotations

SYMBOLS = {
    "motor": '<circle cx="12" cy="12" r="9"/><path d="M8 16V8l4 5 4-5v8"/>',
    "servo": '<rect x="3" y="9" width="18" height="11" rx="1.5"/><circle cx="16" cy="9" r="3.2"/>'
    '<path d="M16 9 6 4"/>',
    "stepper": '<circle cx="12" cy="12" r="9"/><path d="M12 3v4M21 12h-4M12 21v-4M3 12h4"/>'
    '<circle cx="12" cy="12" r="2.4"/>',
    "led": '<path d="M5 5v14l11-7zM16 5v14M2 12h3M16 12h6M15 3l3-2M19 6l3-2"/>',
    "switch": '<path d="M2 16h6M16 16h6M8 16l8-7"/><circle cx="8" cy="16" r="1.4"/>'
    '<circle cx="16" cy="16" r="1.4"/>',
    "sonar": '<circle cx="7" cy="8" r="4.5"/><circle cx="17" cy="8" r="4.5"/>'
    '<path d="M4 18h16M6 21h12" stroke-dasharray="2 2"/>',
    "sensor": '<rect x="3" y="6" width="8" height="12" rx="1.5"/><path d="M14 8l3-1M14 12h5M14 16l3 1"/>',
    "encoder": '<circle cx="12" cy="12" r="9"/><circle cx="12" cy="12" r="2"/>'
    '<path d="M12 3v4M18.4 5.6l-2.9 2.9M21 12h-4M18.4 18.4l-2.9-2.9"/>'
    '<path d="M12 21v-4M5.6 18.4l2.9-2.9M3 12h4M5.6 5.6l2.9 2.9"/>',
    "chip": '<rect x="6" y="4" width="12" height="16" rx="1.5"/>'
    '<path d="M2 8h4M2 12h4M2 16h4M18 8h4M18 12h4M18 16h4"/><circle cx="9.5" cy="7.5" r="1"/>',
    "divider": '<path d="M12 1v3M9 4h6v6H9zM12 10v4M9 14h6v6H9zM12 20v3M12 12h9"/>',
    "display": '<rect x="2" y="5" width="20" height="14" rx="1.5"/><path d="M5 15l4-4 3 3 5-6"/>',
    "scale": '<path d="M4 20h16M12 20V8M5 8h14M5 8l-2 6h6l-4-6M19 8l-4 6h6z"/>',
}
"""By the name that parts use."""
