"""Keeps the memory that a software renderer frees after each picture.

Mesa's llvmpipe allocates its lists of triangles for each picture. The C library gives freed memory at the end
of the heap back to the system, which clears it before it hands it out again: a fifth of a picture's time.
"""

from __future__ import annotations

import ctypes

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""Options of glibc's `mallopt`. Source: its manual page."""
KEPT = 64 << 20
"""Bytes at the end of the heap that are kept."""
LARGE = 32 << 20
"""Bytes of a single piece that still comes from the heap: the most that glibc allows."""


def keep_freed_memory() -> bool:
    """Keep up to `KEPT` freed bytes from now on; False if the C library has no such option."""
    options = getattr(ctypes.CDLL(None), "mallopt", None)
    if options is None:
        return False
    return bool(options(M_TRIM_THRESHOLD, KEPT)) and bool(options(M_MMAP_THRESHOLD, LARGE))
