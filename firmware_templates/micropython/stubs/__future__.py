"""For `from __future__ import annotations`: MicroPython never evaluates annotations."""

annotations = None
