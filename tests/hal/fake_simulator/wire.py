"""Bytes on the wire: little endian, packed; strings are UTF-8 and end with a NUL byte."""

import struct


class Writer:
    def __init__(self):
        self.b = bytearray()

    def _p(self, fmt, *v):
        self.b += struct.pack("<" + fmt, *v)
        return self

    def u8(self, v):
        return self._p("B", int(v))

    def u16(self, v):
        return self._p("H", v)

    def i32(self, *v):
        return self._p(f"{len(v)}i", *v)

    def u32(self, v):
        return self._p("I", v)

    def f64(self, *v):
        return self._p(f"{len(v)}d", *v)

    def s(self, text):
        return self.raw(text.encode() + b"\0")

    def raw(self, data):
        self.b += data
        return self

    def head(self, tag, code):
        """each message of an answer starts with the device tag and a code; it carries no length"""
        return self._p("HB", tag, code)


class Reader:
    def __init__(self, data):
        self.b, self.p = data, 0

    def _u(self, fmt):
        v = struct.unpack_from("<" + fmt, self.b, self.p)
        self.p += struct.calcsize("<" + fmt)
        return v if len(v) > 1 else v[0]

    def u8(self):
        return self._u("B")

    def u16(self):
        return self._u("H")

    def i32(self):
        return self._u("i")

    def u32(self):
        return self._u("I")

    def f64(self, n=1):
        return self._u(f"{n}d")

    def more(self):
        return self.p < len(self.b)

    def raw(self, n):
        self.p += n
        return bytes(self.b[self.p - n : self.p])

    def s(self):
        return self.raw(self.b.index(b"\0", self.p) + 1 - self.p)[:-1].decode("utf-8", "replace")

    def take(self, layout):
        """Read values: b u8, h u16, i i32, u u32, d f64, s string, H and I bytes after u16 or i32 length."""
        read = {
            "b": self.u8,
            "h": self.u16,
            "i": self.i32,
            "u": self.u32,
            "d": self.f64,
            "s": self.s,
            "H": lambda: self.raw(self.u16()),
            "I": lambda: self.raw(self.i32()),
        }
        return [read[c]() for c in layout]


class Answer(Writer):
    """one packet simulator -> controller; the delay is -1 for a packet that the controller did not ask for"""

    def __init__(self, delay=0):
        super().__init__()
        self.chunks = []
        self.i32(delay)

    def image(self, tag, code, data):  # TCP only: an image travels in a chunk of its own
        self.close()
        self.chunks.append((1, len(data), struct.pack("<HB", tag, code) + data))

    def close(self):
        if self.b:
            self.chunks.append((0, len(self.b), bytes(self.b)))
            self.b = bytearray()

    def local(self):
        return struct.pack("<i", 4 + len(self.b)) + bytes(self.b)

    def remote(self):
        self.close()
        out = struct.pack("<Hi", len(self.chunks), sum(n for kind, n, _ in self.chunks if kind == 0))
        return out + b"".join(struct.pack("<IB", n, kind) + payload for kind, n, payload in self.chunks)
