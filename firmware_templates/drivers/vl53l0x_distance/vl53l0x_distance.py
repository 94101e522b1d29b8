"""A VL53L0X time-of-flight sensor, as vl53l0x_distance.c sets it up and reads it: a few entries of its set-up
per reading."""

from binascii import unhexlify
from time import ticks_diff, ticks_ms

from wb import board, curve

INTERRUPT_CLEAR, INTERRUPT_STATUS, RESULT, RESULT_SIZE = 0x0B, 0x13, 0x14, 12
PADS, STOP, REFERENCES, DIODES, MODEL, MEMORY = 0x89, 0x91, 0x92, 0xB0, 0xC0, 0x83
ITS_MODEL = b"\xee"
MEASURED, VALID = 0x07, 11
MAP_SIZE, FIRST_LARGE = 6, 12
MOST_ENTRIES, TIMEOUT = 12, 500  # entries for each reading, ms
METERS_PER_MM = 0.001
NOTHING = 65535  # mm: nothing is in range
ACTION = 0xFE
DONE, WAITING, FAILED = 1, 0, -1
SET_UP = unhexlify(
    # pairs of a register and its value, or of ACTION and its number
    b"ff00fe00fe0188008001ff010000fe020001ff00800001ff"
    # reference diodes
    b"8001ff010000ff06fe04ff0781018001946b8300fe068301fe078100ff06fe05ff010001ff008000ff014f004e2cff00b6b4"
    b"fe08"
    # tuning
    b"ff010000ff00090010001100240125ff7500ff014e2c48003020ff00300954003104320340834625600027005006510052965"
    b"60857306100620064006500"
    b"66a0ff012232471449ff4a00ff007a0a7b007821ff012334420044ff4526460540400e06201a4340ff0034033544ff0131044b"
    b"094c054d04ff00440045204708482867007004710172fe76007700ff010d01ff00800101f8ff018e010001ff008000"
    # calibration
    b"0a040b0101010041fe090b01000001020001fe090b01000001e8"
    # start
    b"8001ff010000fe030001ff0080000002"
)


class Driver:
    """The sensor, which measures continuously once it is set up."""

    def __init__(self, settings, drivers):
        self._settings, self._address = settings, settings["address"]
        self._bus = board.bus(settings["sda"], settings["scl"])
        self._actions = (
            self._identify,
            lambda: self._change(PADS, 1, 0),
            self._save_stop,
            lambda: self._write(STOP, self._stop),
            lambda: self._change(MEMORY, 4, 0),
            lambda: self._change(MEMORY, 0, 4),
            lambda: self._await(MEMORY, 0xFF),
            self._count_diodes,
            self._select_diodes,
            lambda: self._await(INTERRUPT_STATUS, MEASURED),
        )
        self._begin()

    def _begin(self):
        """Begin the set-up."""
        self._at = self._stop = self._diodes = 0
        self._mm, self._since = None, ticks_ms()

    def _write(self, register, value):
        return DONE if self._bus.write(self._address, bytes([register, value])) else FAILED

    def _read(self, register, size):
        return self._bus.read(self._address, register, size)

    def _change(self, register, ones, zeros):
        """Set and clear bits of a register."""
        data = self._read(register, 1)
        return FAILED if data is None else self._write(register, (data[0] | ones) & ~zeros)

    def _await(self, register, bits):
        """Read a register of which some bits become 1."""
        data = self._read(register, 1)
        return FAILED if data is None else DONE if data[0] & bits else WAITING

    def _identify(self):
        return DONE if self._read(MODEL, 1) == ITS_MODEL else FAILED

    def _save_stop(self):
        """Keep the value of the chip that starts measurements."""
        data = self._read(STOP, 1)
        if data is None:
            return FAILED
        self._stop = data[0]
        return DONE

    def _count_diodes(self):
        """Keep the number of reference diodes, and in bit 7 whether they have an aperture."""
        data = self._read(REFERENCES, 1)
        if data is None:
            return FAILED
        self._diodes = data[0]
        return DONE

    def _select_diodes(self):
        """Keep as many good reference diodes as the chip's calibration says."""
        data = self._read(DIODES, MAP_SIZE)
        if data is None:
            return FAILED
        kept, left = bytearray(data), self._diodes & 0x7F
        for k in range(8 * MAP_SIZE):
            bit = 1 << k % 8
            if left == 0 or (k < FIRST_LARGE and self._diodes & 0x80):
                kept[k // 8] &= ~bit
            elif kept[k // 8] & bit:
                left -= 1
        return DONE if self._bus.write(self._address, bytes([DIODES]) + kept) else FAILED

    def _go_on(self):
        """Execute the next entries of the set-up."""
        for _ in range(MOST_ENTRIES):
            if self._at == len(SET_UP):
                break
            register, value = SET_UP[self._at], SET_UP[self._at + 1]
            result = self._actions[value]() if register == ACTION else self._write(register, value)
            if result != DONE:
                return result
            self._at += 2
        return DONE

    def _measure(self):
        """Take a new distance, if there is one."""
        result = self._await(INTERRUPT_STATUS, MEASURED)
        if result != DONE:
            return result
        data = self._read(RESULT, RESULT_SIZE)
        if data is None or self._write(INTERRUPT_CLEAR, 1) != DONE:
            return FAILED
        self._mm = data[10] << 8 | data[11] if data[0] >> 3 & 0x0F == VALID else NOTHING
        return DONE

    def value(self):
        """Return the value; None before the first distance."""
        result = self._go_on() if self._at < len(SET_UP) else self._measure()
        now = ticks_ms()
        if result == DONE:
            self._since = now
        elif result == FAILED or ticks_diff(now, self._since) > TIMEOUT:
            self._begin()
        if self._mm is None:
            return None
        return curve.at(self._settings["lookup"], min(self._mm * METERS_PER_MM, self._settings["range"]))
