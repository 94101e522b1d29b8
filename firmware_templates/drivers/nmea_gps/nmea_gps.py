"""A GPS module that sends NMEA sentences, as nmea_gps.c reads them: GGA has the position, RMC the speed."""

from wb import board

LONGEST, STALE_MS = 96, 3000
METERS, DEGREES, RADIANS = 0.011131949079327358, 1e-7, 0.017453292519943295
KNOT = 0.0005144444444444445  # m/s, of 1e-3 knots


class Driver:
    """The module."""

    def __init__(self, settings, drivers):
        self._settings, self._line = settings, board.line(settings["baud"])
        self._rest = b""
        self._place = self._knots = None  # 1e-7 degrees, 1e-3 m; 1e-3 knots
        self._place_age = self._speed_age = STALE_MS

    def update(self, elapsed):
        """Take what has arrived."""
        self._place_age = min(self._place_age + elapsed, STALE_MS)
        self._speed_age = min(self._speed_age + elapsed, STALE_MS)
        waiting = self._line.any()
        if not waiting:
            return
        lines = (self._rest + self._line.read(waiting)).replace(b"\r", b"\n").split(b"\n")
        self._rest = lines[-1][-LONGEST:]
        for line in lines[:-1]:
            self._take(line[line.rfind(b"$") + 1 :])

    def _take(self, line):
        text, star, check = line.partition(b"*")
        if not star or len(line) > LONGEST or _checksum(text) != _hexadecimal(check[:2]):
            return
        if max(text + b"0") > 127:
            return
        fields = [one.decode() for one in text.split(b",")]
        if fields[0][2:] == "GGA" and len(fields) > 9 and "1" <= fields[6][:1] <= "9":
            place = (
                _angle(fields[2], fields[3] == "S"),
                _angle(fields[4], fields[5] == "W"),
                _decimal(fields[9], 3),
            )
            if None not in place:
                self._place, self._place_age = place, 0
        elif fields[0][2:] == "RMC" and len(fields) > 7 and fields[2][:1] == "A":
            knots = _decimal(fields[7], 3)
            if knots is not None:
                self._knots, self._speed_age = knots, 0

    def position(self):
        """Return degrees and m, or meters east, north and up of the origin; None without a fix."""
        if self._place_age >= STALE_MS:
            return None
        (north, east, up), own = self._place, self._settings
        if not own["is_local"]:
            return north * DEGREES, east * DEGREES, up / 1000
        return (
            (east - int(own["longitude"] / DEGREES)) * METERS * _cosine(own["latitude"]),
            (north - int(own["latitude"] / DEGREES)) * METERS,
            up / 1000 - own["altitude"],
        )

    def speed(self):
        """Return the speed in m/s; None without a fix."""
        return self._knots * KNOT if self._speed_age < STALE_MS else None


def _checksum(text):
    value = 0
    for byte in text:
        value ^= byte
    return value


def _hexadecimal(text):
    try:
        return int(text, 16) if len(text) == 2 else None
    except ValueError:
        return None


def _decimal(text, decimals):
    """Return a decimal number as a whole number with some decimals; None if it is none."""
    whole, _, fraction = text.partition(".")
    digits = whole.lstrip("-") + (fraction + "0" * decimals)[:decimals]
    if not (whole.lstrip("-") + fraction).isdigit():
        return None
    return -int(digits) if whole.startswith("-") else int(digits)


def _angle(text, is_negative):
    """Return an angle as DDDMM.MMMMM in 1e-7 degrees."""
    number = _decimal(text, 5)
    if number is None or not 0 <= number <= 1800000000:
        return None
    degrees, minutes = number // 10000000, number % 10000000
    angle = degrees * 10000000 + (minutes * 5 + 1) // 3
    return -angle if is_negative else angle


def _cosine(degrees):
    angle = degrees * RADIANS
    square = angle * angle
    return 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56)))
